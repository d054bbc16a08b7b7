import { describe, expect, it } from "vitest";
import { judgeResponse } from "./responses.ts";

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
