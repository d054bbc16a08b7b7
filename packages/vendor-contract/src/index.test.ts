import { describe, expect, it } from "vitest";
import { outsideContract, vendorContract } from "./index.ts";
import { takeViolations } from "./violations.ts";

// Lithic's contract represents all: its validators are made from the SDK and its facts.
const contract = vendorContract<"card_transaction.updated">("lithic");
const call = "PATCH /v1/cards/00000000-0000-4000-8000-000000000000";

describe("vendorContract", () => {
  it("reports unknown operations, and requests that break a type", () => {
    contract.exchange({ call: "GET /v1/nowhere", status: 200, response: {} });
    contract.exchange({ call, request: { state: "HAPPY", color: "red" }, status: 400, response: {} });
    expect(takeViolations()).toEqual([
      "lithic, GET /v1/nowhere: the contract has no such operation",
      "lithic, PATCH /v1/cards/{card_token}: request must NOT have additional properties: color",
      "lithic, PATCH /v1/cards/{card_token}: request/state must be equal to one of the allowed values: OPEN, PAUSED, CLOSED",
    ]);
  });

  it("checks successful responses and webhooks whole, facts included", () => {
    const response = { token: "1", exp_month: "123" };
    contract.exchange({ call, status: 404, response });
    expect(takeViolations()).toEqual([]);
    contract.exchange({ call, status: 200, response });
    contract.webhook("card_transaction.updated", { token: "1" });
    const violations = takeViolations();
    expect(violations).toContainEqual(expect.stringContaining("response must have required property"));
    expect(violations).toContainEqual(expect.stringContaining("must NOT have more than 2 characters"));
    expect(violations).toContainEqual(expect.stringContaining("webhook card_transaction.updated"));
  });

  it("reports unknown webhooks, and successful responses that lack their body", () => {
    vendorContract<string>("lithic").webhook("card_transaction.of_tomorrow", { token: "1" });
    contract.exchange({ call, status: 200, response: undefined });
    contract.exchange({ call, status: 500, response: undefined });
    expect(takeViolations()).toEqual([
      "lithic, webhook card_transaction.of_tomorrow: the contract has no such webhook",
      "lithic, PATCH /v1/cards/{card_token}: response is missing",
    ]);
  });

  it("checks nothing in `outsideContract`", async () => {
    await outsideContract(() => contract.webhook("card_transaction.updated", {}));
    expect(takeViolations()).toEqual([]);
  });
});
