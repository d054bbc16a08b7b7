import { PurserError } from "@purser/client";
import { describe, expect, it } from "vitest";
import { adviceFor, titleOf } from "./problem-labels.ts";

describe("a problem for people", () => {
  it("says its own detail, and not the help for developers", () => {
    const error = new PurserError("FORBIDDEN", "The creator stays an owner.", {
      status: 403,
      help: "Call PATCH /api/members instead.",
    });
    expect(titleOf(error)).toBe("The creator stays an owner.");
    expect(adviceFor(error)).toBeNull();
  });

  it("says what is not valid", () => {
    const issues = [{ path: ["query"], code: "custom", message: "Must contain a word" }];
    const detail = "The input is not valid. query: Must contain a word.";
    const error = new PurserError("VALIDATION_FAILED", detail, { status: 400, issues });
    expect(titleOf(error)).toBe("The input is not valid.");
    expect(adviceFor(error)).toBe("Must contain a word");
  });

  it("says when to try again, and whom to tell", () => {
    const outage = { status: 502, retryable: true };
    expect(adviceFor(new PurserError("PROVIDER_ERROR", "The bank is down.", outage))).toBe(
      "Try again in a moment.",
    );
    const bug = new PurserError("INTERNAL", "Something went wrong.", { status: 500 });
    expect(adviceFor(bug)).toBe("If it happens again, tell your administrator.");
    expect(adviceFor(new TypeError("No such function"))).toBe(
      "If it happens again, tell your administrator.",
    );
  });
});
