import type { CardMessage } from "@purser/cards/ports";
import { describe, expect, it } from "vitest";
import { fakeLithicPurchase } from "./fake/network.ts";
import { readLithicRequest } from "./requests.ts";
import { readLithicTransaction } from "./transactions.ts";

type Purchase = Parameters<typeof fakeLithicPurchase>[0];
const buy = (purchase: Partial<Purchase> = {}) =>
  fakeLithicPurchase({ card: "card-token", amount: 1250, ...purchase });
const decline = (purchase: ReturnType<typeof buy>, type: string, details: string[]) =>
  purchase.happen(type, 1250, { status: "DECLINED", result: "DECLINED", details });
const messages = (purchase: ReturnType<typeof buy>) => readLithicTransaction(purchase.update());

describe("a declined transaction", () => {
  it.each([
    ["CUSTOMER_ASA_TIMEOUT", "decision_timed_out"],
    ["MALFORMED_ASA_RESPONSE", "decision_timed_out"],
    ["CUSTOM_ASA_RESULT", "decision_timed_out"],
    ["INSUFFICIENT_FUNDS", "issuer_declined"],
    ["CARD_PIN_INCORRECT", "issuer_declined"],
    ["LITHIC_SYSTEM_ERROR", "issuer_declined"],
    ["A_RESULT_OF_TOMORROW", "issuer_declined"],
  ])("is advice on the request: %s", (detail, reason) => {
    const purchase = buy({ merchant: { mcc: "7011" }, entry: { card: "NOT_PRESENT" } });
    const [{ networkId, card, at, ...request }] = readLithicRequest(purchase.request()) as [CardMessage];
    decline(purchase, "AUTHORIZATION", [detail]);
    expect(messages(purchase)).toEqual([
      { kind: "advice", networkId, card, at, request, verdict: { approved: false, reason } },
    ]);
    expect(request).toMatchObject({ channel: "online", expiresAt: expect.any(Date) });
  });

  it.each(["FINANCIAL_AUTHORIZATION", "BALANCE_INQUIRY"])("covers %s too", (type) => {
    const purchase = buy();
    decline(purchase, type, []);
    expect(messages(purchase)).toMatchObject([{ kind: "advice", verdict: { reason: "issuer_declined" } }]);
  });

  it("is repeated with every later update", () => {
    const purchase = buy();
    decline(purchase, "AUTHORIZATION", ["CUSTOMER_ASA_TIMEOUT"]);
    const told = messages(purchase);
    purchase.happen("CLEARING", 700, { status: "SETTLED" });
    expect(messages(purchase).slice(0, 1)).toEqual(told);
    expect(messages(purchase)[1]).toMatchObject({ kind: "clearing", authorization: null });
  });

  it("is not declined if one authorization is approved", () => {
    const purchase = buy();
    purchase.happen("AUTHORIZATION", 1250, { held: 1250 });
    decline(purchase, "AUTHORIZATION", ["INSUFFICIENT_FUNDS"]);
    expect(messages(purchase)).toEqual([]);
  });

  it("is no advice for money to the cardholder", () => {
    const purchase = buy();
    decline(purchase, "CREDIT_AUTHORIZATION", ["CARD_CLOSED"]);
    expect(messages(purchase)).toEqual([]);
  });
});
