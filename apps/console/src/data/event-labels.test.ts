import type { Event } from "@purser/client";
import { describe, expect, it } from "vitest";
import { reasonInWords } from "./card-labels.ts";
import { sentenceOf } from "./event-labels.ts";

const bankNames = new Map([["bcn_1", "Sprout Bank"]]);
const owner = { id: "user_1", name: "Demo Owner" };
const sentence = (type: Event["type"], data: object, actor: typeof owner | null = null) =>
  sentenceOf({ type, data, actor } as Event, { timeZone: "UTC", bankNameOf: (id) => bankNames.get(id) });

describe("The sentence of an event", () => {
  it("has the reason of a decline in the words of all pages", () => {
    const data = {
      amount: 1200,
      currency: "GBP",
      merchantName: "Bakery Row",
      declineReason: "merchant_category_blocked",
    };
    expect(reasonInWords("merchant_category_blocked").title).toBe("Category blocked");
    expect(sentence("card_transaction.declined", data)).toBe(
      "£12.00 at Bakery Row was declined: category blocked",
    );
  });

  it("says of a hold only what is still held", () => {
    const purchase = { amount: 1200, currency: "GBP", merchantName: "Bakery Row" };
    const released = (status: string) => sentence("card_transaction.reversed", { ...purchase, status });
    expect(released("DECLINED")).toBe("The merchant released the hold of £12.00 at Bakery Row");
    expect(released("PENDING")).toBe("The merchant released a part of a hold. Left: £12.00 at Bakery Row");
    expect(released("COMPLETED")).toBe(
      "The merchant released the rest of a hold. Cleared: £12.00 at Bakery Row",
    );
    const settled = (status: string) => sentence("card_transaction.settled", { ...purchase, status });
    expect(settled("PENDING")).toBe("A part of £12.00 at Bakery Row was cleared");
    expect(settled("COMPLETED")).toBe("£12.00 at Bakery Row was cleared");
  });

  it("says why a sync failed", () => {
    const failed = { id: "bcn_2", providerId: "sprout-bank", error: "PROVIDER_ERROR" };
    expect(sentence("bank_connection.sync_failed", failed)).toBe(
      "The sync with Sprout bank failed (provider error)",
    );
  });

  it("names the bank, whatever its id at the provider", () => {
    const data = { id: "bcn_1", providerId: "ins_109508" };
    expect(sentence("bank_connection.connected", data, owner)).toBe("Demo Owner connected Sprout Bank");
    expect(sentence("bank_connection.needs_reauthorization", data)).toBe(
      "Sprout Bank needs someone to sign in again",
    );
  });

  it("names the person who changed transactions, and nobody for what the bank did", () => {
    const data = { accountName: "Current Account", added: 0, modified: 1, removed: 0 };
    const type = "bank_transactions.changed";
    expect(sentence(type, data, owner)).toBe("Demo Owner changed a transaction of “Current Account”");
    expect(sentence(type, { ...data, modified: 2 }, owner)).toBe(
      "Demo Owner changed 2 transactions of “Current Account”",
    );
    expect(sentence(type, data)).toBe("Transactions of “Current Account”: 1 changed");
    expect(sentence(type, { ...data, removed: 3 }, owner)).toBe(
      "Demo Owner changed the transactions of “Current Account”: 1 changed, 3 removed",
    );
  });
});
