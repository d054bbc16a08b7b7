import type { BankEvent, BankWebhooks } from "@purser/banking/ports";
import { testClock } from "@purser/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startPlaidBank } from "./fake/bank.ts";
import { plaidEvents } from "./fake/events.ts";
import { type SigningKey, newSigningKey, signWebhook } from "./fake/signing.ts";
import { type PlaidWebhooks, plaidContract } from "./fake/vendor-contract.ts";

const clock = testClock();
let plaid: Awaited<ReturnType<typeof startPlaidBank>>;
let webhooks: BankWebhooks;
let key: SigningKey;
beforeAll(async () => {
  plaid = await startPlaidBank(clock);
  webhooks = plaid.bank.webhooks!;
  key = await newSigningKey(plaid.fake);
});
afterAll(async () => plaid.fake.close());

const endsAt = new Date("2026-03-09T09:00:00Z");

describe("plaidWebhooks with whole events in the SDK's types", () => {
  it.each<[keyof PlaidWebhooks, BankEvent["kind"], object]>([
    ["ITEM.ERROR", "reauthorization_required", {}],
    ["ITEM.LOGIN_REPAIRED", "consent_changed", {}],
    ["ITEM.NEW_ACCOUNTS_AVAILABLE", "consent_changed", {}],
    ["ITEM.PENDING_DISCONNECT", "consent_ending", { endsAt }],
    ["ITEM.PENDING_EXPIRATION", "consent_changed", {}],
    ["ITEM.USER_ACCOUNT_REVOKED", "consent_changed", {}],
    ["ITEM.USER_PERMISSION_REVOKED", "consent_revoked", {}],
    ["TRANSACTIONS.HISTORICAL_UPDATE", "transactions_changed", {}],
    ["TRANSACTIONS.INITIAL_UPDATE", "transactions_changed", {}],
    ["TRANSACTIONS.SYNC_UPDATES_AVAILABLE", "transactions_changed", {}],
    ["LINK.SESSION_FINISHED", "link_finished", { state: "link-sandbox-1" }],
  ])("accepts %s, and reads it as %s", async (type, kind, rest) => {
    const body = JSON.stringify(plaidContract.webhook(type, plaidEvents[type]));
    const headers = new Headers({ "Plaid-Verification": await signWebhook(key, body, clock.now()) });
    const check = await webhooks.verify(Buffer.from(body), headers, clock.now());
    expect(check).toMatchObject({ outcome: "verified", type });
    const consent = kind === "link_finished" ? {} : { consentId: "item-1", organizationId: null };
    expect(webhooks.read({ type, body })).toEqual({ kind, ...consent, ...rest });
  });
});
