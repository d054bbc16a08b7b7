import { describe, expect, it } from "vitest";
import { readLithicDispute } from "./disputes.ts";
import { fakeLithicDispute } from "./fake/disputes.ts";
import { fakeLithicPurchase } from "./fake/network.ts";
import { lithicWebhooks } from "./webhooks.ts";

const type = "dispute_transaction.updated";
const { read } = lithicWebhooks([]);

function setDispute(isKnown = true) {
  const { transaction, happen } = fakeLithicPurchase({
    card: "00000000-0000-4000-8000-00000000ca4d",
    amount: 1250,
  });
  happen("AUTHORIZATION", 1250, { held: 1250 });
  const clearing = happen("CLEARING", 1250, { status: "SETTLED" });
  return { transaction, clearing, ...fakeLithicDispute(transaction, clearing, 1000, isKnown) };
}

describe("dispute_transaction.updated", () => {
  it("reports money that the acquirer gave back and took again, each time with all events so far", () => {
    const { transaction, clearing, dispute, ...steps } = setDispute();
    const money = {
      kind: "dispute",
      card: transaction.card_token,
      authorization: transaction.token,
      clearing,
      amount: 1000,
      currency: "USD",
      merchant: { name: "CORNER COFFEE", id: "XRKGDPOWEWQRRWU", category: "5814", country: "US" },
    };
    const opened = steps.open();
    expect(read({ type: opened.event_type, body: JSON.stringify(opened) })).toEqual([]);
    steps.chargeback();
    const update = steps.representment();
    const [, first, second] = dispute.events;
    expect(read({ type, body: JSON.stringify(update) })).toEqual([
      { ...money, networkId: first!.token, at: new Date(first!.created), direction: "credit" },
      { ...money, networkId: second!.token, at: new Date(second!.created), direction: "debit" },
    ]);
  });

  it("does not report a provisional credit or a write-off, which are the program's own money", () => {
    const { grant, chargeback, writeOff } = setDispute();
    grant();
    expect(readLithicDispute(type, chargeback())).toHaveLength(1);
    expect(readLithicDispute(type, writeOff())).toHaveLength(1);
  });

  it("reports money of a dispute whose transaction Lithic does not identify", () => {
    const { chargeback } = setDispute(false);
    expect(readLithicDispute(type, chargeback())).toMatchObject([
      { direction: "credit", authorization: null, clearing: null, amount: 1000 },
    ]);
  });

  it("takes the direction from the polarity, whatever the sign", () => {
    const update = setDispute().chargeback();
    Object.assign(update.events[0]!.data, { amount: -1000 });
    expect(readLithicDispute(type, update)).toMatchObject([{ direction: "credit", amount: 1000 }]);
    Object.assign(update.events[0]!.data, { amount: 0 });
    expect(readLithicDispute(type, update)).toEqual([]);
  });

  it.each([
    ["no card", (update: object) => ({ ...update, card_token: null })],
    ["no events", (update: object) => ({ ...update, events: undefined })],
    [
      "another polarity",
      (update: object) => ({
        ...update,
        events: [{ ...setDispute().chargeback().events[0], data: { amount: 1, polarity: "BOTH" } }],
      }),
    ],
  ])("throws for %s, so that it is not lost", (_what, change) => {
    const update = change(setDispute().chargeback());
    expect(() => readLithicDispute(type, update)).toThrow(`Lithic: cannot parse ${type} (`);
  });
});
