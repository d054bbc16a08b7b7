import { describe, expect, it } from "vitest";
import { judgeResponse, judgeService } from "./responses.ts";

const request = { method: "POST", path: "/api/organizations" } as const;
const problem = { type: "/docs/problems#UNAVAILABLE", title: "Unavailable", status: 503 };
const headers = { "content-type": "application/problem+json", "retry-after": "1" };
const unavailable = { status: 503, headers, body: problem };

describe("judgeResponse", () => {
  it("accepts a problem document with Retry-After, and what is no server error", () => {
    expect(judgeResponse(request, unavailable, 10)).toBeNull();
    const page = { status: 502, headers: { "content-type": "text/html; charset=UTF-8" }, body: null };
    expect(judgeResponse({ ...request, path: "/billing/checkouts/chk_1/return" }, page, 10)).toBeNull();
    expect(judgeResponse(request, { status: 404, headers: {}, body: null }, 10)).toBeNull();
  });

  it.each([
    ["an internal error", { ...unavailable, status: 500 }, 10],
    ["no Retry-After", { ...unavailable, headers: { ...headers, "retry-after": undefined } }, 10],
    ["another type of content", { ...unavailable, headers: { ...headers, "content-type": "text/html" } }, 10],
    ["another status in the document", { ...unavailable, status: 502 }, 10],
    ["a document without a title", { ...unavailable, body: { status: 503, type: "about:blank" } }, 10],
    ["a response that took too long", unavailable, 30_001],
  ])("reports %s", (_case, response, ms) => {
    expect(judgeResponse(request, response, ms)).toContain("POST /api/organizations returned 50");
  });
});

describe("judgeService", () => {
  it("accepts refusals with a reason, and on a busy machine late decisions", () => {
    const declined = { status: 200, body: { approved: false, reason: "card_paused" } };
    expect(judgeService(request, declined, 10)).toBeNull();
    expect(judgeService(request, { status: 404, body: null }, 10)).toBeNull();
    const late = { status: 200, body: { approved: false, reason: "decision_timed_out" } };
    expect(judgeService(request, late, 15_000, 4)).toBeNull();
  });

  it.each([
    ["a response that says to try again", unavailable, 10],
    ["a late decision", { status: 200, body: { approved: false, reason: "decision_timed_out" } }, 10],
    ["a slow response", { status: 200, body: {} }, 5001],
  ])("reports %s, although the node is up", (_case, response, ms) => {
    expect(judgeService(request, response, ms)).toContain("of another node than the one that is down");
  });
});
