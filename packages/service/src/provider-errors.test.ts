import { BankError } from "@purser/banking/ports";
import { BillingError } from "@purser/billing/ports";
import { IssuerError } from "@purser/cards/ports";
import type { ProviderError } from "@purser/core";
import { testClock } from "@purser/core/testing";
import { type AreaErrorClass, adapterErrors, retryAfter } from "@purser/platform/providers";
import { describe, expect, it } from "vitest";
import { z } from "zod";

describe.each<[string, AreaErrorClass<ProviderError<string>, "outage">]>([
  ["banking", BankError],
  ["billing", BillingError],
  ["cards", IssuerError],
])("adapterErrors of %s", (_area, Failure) => {
  const { noResponseError, parsePayload } = adapterErrors("Acme", Failure);

  it("returns a valid response as the schema parses it", () => {
    const Amount = z.object({ amount: z.string().transform(Number) });
    expect(parsePayload("payments.get", Amount, { amount: "7", card: "4000009990000013" })).toEqual({
      amount: 7,
    });
  });

  it("throws the area's outage error for an invalid response, and names the field without its value", () => {
    const Payments = z.array(z.object({ id: z.string().max(5), sum: z.int() }));
    const caught = thrown(() => parsePayload("payments.list", Payments, [{ id: "4000009990000013" }]));
    expect(caught).toBeInstanceOf(Failure);
    expect(caught).toMatchObject({
      kind: "outage",
      message: "Acme: cannot parse payments.list (0.id too_big, 0.sum invalid_type)",
    });
  });

  it.each([
    ["SyntaxError", new SyntaxError("4000009990000013")],
    ["TimeIsUp", new (class TimeIsUp extends Error {})("4000009990000013")],
    ["TimeoutError", new DOMException("4000009990000013", "TimeoutError")],
    ["string", "4000009990000013"],
    ["undefined", undefined],
  ])("returns an outage for a missing answer, with only the name of its cause: %s", (name, error) => {
    const failure = noResponseError("payments.get", error);
    expect(failure).toBeInstanceOf(Failure);
    const message = `Acme: no response to payments.get (${name})`;
    expect(failure).toMatchObject({ kind: "outage", message, cause: undefined });
  });
});

function thrown(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    return error;
  }
}

describe("retryAfter", () => {
  it.each([
    ["30", 30],
    [" 5 ", 5],
    ["0", 0],
    ["Mon, 02 Mar 2026 09:00:20 GMT", 20],
    ["Mon, 02 Mar 2026 09:00:00 GMT", 0],
    ["Mon, 02 Mar 2026 08:00:00 GMT", 0],
    ["Mon, 2 Mar 2026 09:00:20 GMT", 20],
    ["Monday, 02-Mar-26 09:00:20 GMT", 20],
    ["Sunday, 06-Nov-94 08:49:37 GMT", 0],
    ["Mon Mar  2 09:00:20 2026", 20],
    ["Mon Mar 02 09:00:20 2026", 20],
    ["Mon Foo  2 09:00:20 2026", undefined],
    ["Monday, 02-Foo-26 09:00:20 GMT", undefined],
    ["Mon, 02 Mar 2026 09:00:20", undefined],
    ["-1", undefined],
    ["1.5", undefined],
    ["1e9", undefined],
    ["9999999999", undefined],
    ["2026-03-02T09:00:20Z", undefined],
    ["soon GMT", undefined],
    ["5 GMT", undefined],
    ["soon", undefined],
    ["", undefined],
    [null, undefined],
    [undefined, undefined],
  ])("reads %j at 09:00 as %j seconds", (header, retryAfterSeconds) => {
    const expected = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
    expect(retryAfter(header, testClock())).toStrictEqual(expected);
  });
});
