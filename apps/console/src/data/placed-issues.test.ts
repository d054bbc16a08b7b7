import { describe, expect, it } from "vitest";
import { placeIssues } from "./placed-issues.ts";

const values = {
  name: "Travel",
  allowedMerchants: ["A", "B"],
  limits: [{ key: "a", amount: 1, interval: "DAILY" }],
};
const placed = (...path: (string | number)[]) =>
  placeIssues([{ path, code: "custom", message: "Wrong" }], values);

describe("the field of an issue", () => {
  it.each([
    [["name"], "name"],
    [["limits", 0, "amount"], "limits.0.amount"],
    [["allowedMerchants"], "allowedMerchants"],
    [["allowedMerchants", 1], "allowedMerchants"],
  ])("of %j is %s", (path, field) => {
    expect(placed(...path)).toEqual({ fields: { [field]: "Wrong" }, others: [] });
  });

  it.each([
    [[]],
    [["constructor"]],
    [["expiresAt"]],
    [["limits"]],
    [["limits", 0]],
    [["limits", 1, "amount"]],
  ])("of %j is none", (path) => {
    expect(placed(...path)).toEqual({ fields: {}, others: ["Wrong"] });
  });
});
