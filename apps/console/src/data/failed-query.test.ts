import { PurserError } from "@purser/client";
import { describe, expect, it } from "vitest";
import { failedQuery } from "./failed-query.ts";

const unreachable = new PurserError("NETWORK_FAILURE", "", { retryable: true });
const broken = new PurserError("INTERNAL", "", { status: 500 });
const limited = new PurserError("RATE_LIMITED", "", { status: 429, retryable: true });
const proxy = new PurserError("UNEXPECTED_RESPONSE", "", { status: 403 });
const signedOut = new PurserError("UNAUTHENTICATED", "", { status: 401 });
const gone = new PurserError("CARD_NOT_FOUND", "", { status: 404 });

const shown = ["what was read"];
const refetch = () => undefined;

describe("failedQuery", () => {
  it.each([
    { when: "it is read", data: shown, error: null, isFailed: false },
    { when: "it is being read", data: undefined, error: null, isFailed: false },
    { when: "it could not be read", data: undefined, error: unreachable, isFailed: true },
    { when: "there is no connection any more", data: shown, error: unreachable, isFailed: false },
    { when: "the service fails", data: shown, error: broken, isFailed: false },
    { when: "the service asks to wait", data: shown, error: limited, isFailed: false },
    { when: "a proxy refuses", data: shown, error: proxy, isFailed: false },
    { when: "an unknown error is thrown", data: shown, error: new Error("unknown"), isFailed: false },
    { when: "the session has ended", data: shown, error: signedOut, isFailed: false },
    { when: "it is gone", data: shown, error: gone, isFailed: true },
  ])("says whether a problem takes the place of the content: $when", ({ data, error, isFailed }) => {
    expect(failedQuery({ data, error, refetch })?.error).toBe(isFailed ? error : undefined);
  });

  it("tries all again that failed, the next page of a list too", async () => {
    const read: string[] = [];
    const state = (name: string, own: { data: unknown; error: unknown; isFetchNextPageError?: boolean }) => ({
      ...own,
      refetch: () => read.push(name),
    });
    const failed = failedQuery(
      state("card", { data: shown, error: null }),
      state("purchases", { data: shown, error: unreachable, isFetchNextPageError: true }),
      state("policies", { data: undefined, error: broken }),
    );
    expect(failed?.error).toBe(unreachable);
    await failed?.refetch();
    expect(read).toEqual(["purchases", "policies"]);
  });
});
