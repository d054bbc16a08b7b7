import { describe, expect, it } from "vitest";
import { declineReasons } from "./rules/decide.ts";
import { declineReasonOf } from "./contract.ts";

describe("declineReasonOf", () => {
  it("lists every reason of a decision in its order, and those of the network", () => {
    const { description } = declineReasonOf("Why.");
    const listed = [...description.matchAll(/^- `(\w+)`: [a-z].*\.$/gm)].map(([, reason]) => reason);
    expect(listed).toEqual([
      ...declineReasons,
      "authorization_reversed",
      "authorization_expired",
      "decision_timed_out",
      "issuer_declined",
    ]);
  });
});
