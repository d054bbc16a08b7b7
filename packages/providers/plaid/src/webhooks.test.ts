import type { BankConsentEvent, BankWebhooks } from "@purser/banking/ports";
import { minute, testClock } from "@purser/core/testing";
import { SignJWT, UnsecuredJWT, exportSPKI, generateKeyPair } from "jose";
import {
  type JWKPublicKey,
  type LinkSessionFinishedWebhook,
  type PendingDisconnectWebhook,
  PendingDisconnectWebhookReason,
  type PendingExpirationWebhook,
  WebhookEnvironmentValues,
} from "plaid";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startPlaidBank } from "./fake/bank.ts";
import { type SigningKey, newSigningKey, signWebhook } from "./fake/signing.ts";

let plaid: Awaited<ReturnType<typeof startPlaidBank>>;
const clock = testClock();
let key: SigningKey;
let webhooks: BankWebhooks;
beforeAll(async () => {
  plaid = await startPlaidBank(clock);
  key = await newSigningKey(plaid.fake);
});
afterAll(async () => plaid.fake.close());
// A new adapter for each test, because the adapter caches keys.
beforeEach(() => {
  webhooks = plaid.bankWith().webhooks!;
});

const event = { webhook_type: "TRANSACTIONS", webhook_code: "SYNC_UPDATES_AVAILABLE", item_id: "item-1" };
const body = JSON.stringify(event, null, 2);

const verify = async (token: string | null, { text = body, at = clock.now(), sender = "192.0.2.1" } = {}) => {
  const headers = new Headers(token === null ? {} : { "Plaid-Verification": token });
  return webhooks.verify(Buffer.from(text), headers, at, sender);
};
const sign = async (text = body, at = clock.now()) => signWebhook(key, text, at);
const later = (milliseconds: number) => new Date(clock.now().getTime() + milliseconds);
const keyCalls = () =>
  plaid.fake.requests.filter(({ path }) => path === "/webhook_verification_key/get").length;

const refusedFor = (reason: string) => ({ outcome: "refused", reason });
const verified = expect.objectContaining({ outcome: "verified" }) as unknown;

describe("plaidWebhooks.verify", () => {
  it("accepts what Plaid signed", async () => {
    expect(await verify(await sign())).toEqual({
      outcome: "verified",
      eventId: expect.stringMatching(/^[0-9a-f]{64}\.\d{10}$/) as string,
      type: "TRANSACTIONS.SYNC_UPDATES_AVAILABLE",
    });
  });

  it("returns one id for a repeated event, and another id for an equal event of another second", async () => {
    const ids = [await sign(), await sign(), await sign(body, later(1000))].map(async (token) => {
      const check = await verify(token);
      return check.outcome === "verified" ? check.eventId : null;
    });
    const [first, second, third] = await Promise.all(ids);
    expect(first).toBe(second);
    expect(first).not.toBe(third);
  });

  it("refuses any other bytes", async () => {
    const token = await sign();
    expect(await verify(token, { text: body.replace("item-1", "item-2") })).toEqual(refusedFor("signature"));
    expect(await verify(token, { text: JSON.stringify(event) })).toEqual(refusedFor("signature"));
    expect(await verify(token, { text: "" })).toEqual(refusedFor("signature"));
  });

  it.each([
    [-5 * minute, true],
    [-5 * minute - 1000, false],
    [5 * minute, true],
    [5 * minute + 1000, false],
  ])("accepts a signature %i ms from now: %s", async (offset, isAccepted) => {
    const check = await verify(await sign(body, later(offset)));
    expect(check).toEqual(isAccepted ? verified : refusedFor("time"));
  });

  it("refuses a token without a time or a hash", async () => {
    const header = { alg: "ES256", kid: key.kid };
    const untimed = new SignJWT({ request_body_sha256: claimed(await sign()) }).setProtectedHeader(header);
    expect(await verify(await untimed.sign(key.privateKey))).toEqual(refusedFor("time"));
    for (const request_body_sha256 of [undefined, "", "00", 7, null]) {
      const bare = new SignJWT({ request_body_sha256 }).setProtectedHeader(header).setIssuedAt(later(0));
      expect(await verify(await bare.sign(key.privateKey))).toEqual(refusedFor("signature"));
    }
  });

  it("refuses every algorithm except ES256, also with a matching key", async () => {
    const claims = { request_body_sha256: claimed(await sign()) };
    const signed = (alg: string) =>
      new SignJWT(claims).setProtectedHeader({ alg, kid: key.kid }).setIssuedAt(later(0));
    const publicPem = new TextEncoder().encode(await exportSPKI(key.publicKey));
    const rsa = await generateKeyPair("RS256");
    const before = keyCalls();
    const tokens = [
      new UnsecuredJWT(claims).setIssuedAt(later(0)).encode(),
      `${await unsignedHeader({ alg: "none", kid: key.kid })}.`,
      await signed("HS256").sign(publicPem),
      await signed("RS256").sign(rsa.privateKey),
    ];
    for (const token of tokens) expect(await verify(token)).toEqual(refusedFor("signature"));
    expect(keyCalls()).toBe(before);
  });

  it("refuses another key's signature under Plaid's key id, and a replaced signature", async () => {
    const { privateKey } = await generateKeyPair("ES256");
    const forged = await signWebhook({ kid: key.kid, privateKey }, body, later(0));
    expect(await verify(forged)).toEqual(refusedFor("signature"));
    const [header, payload] = (await sign()).split(".");
    expect(await verify(`${header}.${payload}.${forged.split(".")[2]}`)).toEqual(refusedFor("signature"));
  });

  it.each([null, "", "nonsense", "a.b.c", "....", "e30.e30.e30", "\u00ff"])(
    "refuses %j without throwing",
    async (token) => {
      expect(await verify(token)).toEqual(refusedFor("signature"));
    },
  );

  it.each(["nonsense", "[]", "null", '{"webhook_type":"ITEM"}', '{"webhook_type":1,"webhook_code":"X"}'])(
    "refuses a signed body that is not an event: %s",
    async (text) => {
      expect(await verify(await sign(text), { text })).toEqual(refusedFor("malformed"));
    },
  );

  function claimed(token: string): string {
    const [, payload = ""] = token.split(".");
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as Record<string, string>;
    return claims["request_body_sha256"] ?? "";
  }

  async function unsignedHeader(header: object): Promise<string> {
    const [, payload] = (await sign()).split(".");
    return `${Buffer.from(JSON.stringify(header)).toString("base64url")}.${payload}`;
  }
});

describe("the key cache", () => {
  it("requests a key once per hour, also for concurrent webhooks", async () => {
    const before = keyCalls();
    const tokens = await Promise.all(Array.from({ length: 20 }, async () => sign()));
    expect(await Promise.all(tokens.map((token) => verify(token)))).toEqual(tokens.map(() => verified));
    expect(await verify(await sign())).toEqual(verified);
    expect(keyCalls()).toBe(before + 1);
    const at = later(61 * minute);
    expect(await verify(await sign(body, at), { at })).toEqual(verified);
    expect(keyCalls()).toBe(before + 2);
  });

  it("refuses an expired key, also while it is cached", async () => {
    const expiredAt = later(10 * minute).getTime() / 1000;
    const retired = await newSigningKey(plaid.fake, expiredAt);
    const checkAt = async (at: Date) => verify(await signWebhook(retired, body, at), { at });
    expect(await checkAt(later(9 * minute))).toEqual(verified);
    expect(await checkAt(later(10 * minute))).toEqual(refusedFor("signature"));
  });

  it("requests a new key", async () => {
    expect(await verify(await sign())).toEqual(verified);
    const next = await newSigningKey(plaid.fake);
    expect(await verify(await signWebhook(next, body, later(0)))).toEqual(verified);
  });

  const verifyUnknown = async (kid: string, { at = later(0), sender = "192.0.2.1" } = {}) =>
    verify(await signWebhook({ kid, privateKey: key.privateKey }, body, at), { at, sender });

  it("requests at most ten unknown keys of a network per minute, and each of them once", async () => {
    const before = keyCalls();
    expect(await verifyUnknown("not/a kid")).toEqual(refusedFor("signature"));
    expect(keyCalls()).toBe(before);
    for (let round = 0; round < 30; round++) {
      const number = round % 15;
      const check = verifyUnknown(`made-up-${number}`);
      if (number < 10) expect(await check).toEqual(refusedFor("signature"));
      else await expect(check).rejects.toMatchObject({ kind: "outage" });
    }
    expect(keyCalls()).toBe(before + 10);
    await verifyUnknown("made-up-next", { at: later(2 * minute) });
    expect(keyCalls()).toBe(before + 11);
  });

  it("refuses no event whose key it does not request, and requests that of another network", async () => {
    for (let number = 0; number < 10; number++) await verifyUnknown(`made-up-${number}`);
    await expect(verify(await sign())).rejects.toMatchObject({ kind: "outage" });
    expect(await verify(await sign(), { sender: "192.0.2.2" })).toEqual(verified);
  });

  it("requests at most 100 unknown keys of all networks per minute", async () => {
    const before = keyCalls();
    for (let number = 0; number < 100; number++)
      await verifyUnknown(`made-up-${number}`, { sender: `192.0.2.${number % 10}` });
    const next = verifyUnknown("made-up-next", { sender: "192.0.2.10" });
    await expect(next).rejects.toMatchObject({ kind: "outage" });
    expect(keyCalls()).toBe(before + 100);
  });

  it("requests a known key again in spite of that limit", async () => {
    expect(await verify(await sign())).toEqual(verified);
    const at = later(61 * minute);
    const unknownKeys = Array.from({ length: 12 }, (_, index) => verifyUnknown(`made-up-${index}`, { at }));
    await Promise.allSettled(unknownKeys);
    expect(await verify(await sign(body, at), { at })).toEqual(verified);
  });

  it("requests a key again after a failure, which refuses no event", async () => {
    plaid.fake.fail("/webhook_verification_key/get", "cut");
    await expect(verify(await sign())).rejects.toMatchObject({ kind: "outage" });
    expect(await verify(await sign())).toEqual(verified);
  });

  it.each([{ alg: "ES384" }, { use: "enc" }, { kty: "RSA" }])(
    "accepts no event while Plaid answers with a key of another form: %o",
    async (odd: Partial<JWKPublicKey>) => {
      const token = await signWithKey(odd);
      await expect(verify(token)).rejects.toMatchObject({ kind: "outage" });
    },
  );

  it("refuses an event whose key has another id", async () => {
    expect(await verify(await signWithKey({ kid: "another" }))).toEqual(refusedFor("signature"));
  });

  /** Signs with a new key, which Plaid describes with these fields. */
  async function signWithKey(fields: Partial<JWKPublicKey>): Promise<string> {
    const signing = await newSigningKey(plaid.fake);
    const token = await signWebhook(signing, body, later(0));
    const jwk = plaid.fake.keys.get(signing.kid)!;
    plaid.fake.keys.set(signing.kid, { ...jwk, ...fields });
    return token;
  }
});

describe("plaidWebhooks.read", () => {
  const read = (fields: object) => webhooks.read({ type: "", body: JSON.stringify({ ...event, ...fields }) });

  it.each<[string, BankConsentEvent["kind"] | null]>([
    ["TRANSACTIONS SYNC_UPDATES_AVAILABLE", "transactions_changed"],
    ["TRANSACTIONS INITIAL_UPDATE", "transactions_changed"],
    ["TRANSACTIONS HISTORICAL_UPDATE", "transactions_changed"],
    ["TRANSACTIONS RECURRING_TRANSACTIONS_UPDATE", null],
    ["ITEM USER_PERMISSION_REVOKED", "consent_revoked"],
    ["ITEM USER_ACCOUNT_REVOKED", "consent_changed"],
    ["ITEM LOGIN_REPAIRED", "consent_changed"],
    ["ITEM PENDING_EXPIRATION", "consent_changed"],
    // Without the time, it only is a reason to read the consent.
    ["ITEM PENDING_DISCONNECT", "consent_changed"],
    ["ITEM NEW_ACCOUNTS_AVAILABLE", "consent_changed"],
    ["ITEM WEBHOOK_UPDATE_ACKNOWLEDGED", null],
    ["ITEM ERROR ITEM_LOGIN_REQUIRED", "reauthorization_required"],
    ["ITEM ERROR USER_SETUP_REQUIRED", "reauthorization_required"],
    ["ITEM ERROR ITEM_NOT_FOUND", "consent_revoked"],
    ["ITEM ERROR USER_PERMISSION_REVOKED", "consent_revoked"],
    ["ITEM ERROR INSTITUTION_DOWN", null],
    ["ITEM ERROR", null],
    ["HOLDINGS DEFAULT_UPDATE", null],
    ["LINK EVENTS", null],
  ])("maps %s to %s", (description, kind) => {
    const [webhook_type, webhook_code, error_code] = description.split(" ");
    const error = error_code === undefined ? null : { error_type: "ITEM_ERROR", error_code };
    const expected = kind && { consentId: "item-1", organizationId: null, kind };
    expect(read({ webhook_type, webhook_code, error })).toEqual(expected);
  });

  it("reads from PENDING_DISCONNECT when the bank is disconnected", () => {
    const warning = {
      webhook_type: "ITEM",
      webhook_code: "PENDING_DISCONNECT",
      item_id: "item-1",
      reason: PendingDisconnectWebhookReason.TokenExpiration,
      disconnect_time: "2026-03-09T09:00:00Z",
      environment: WebhookEnvironmentValues.Sandbox,
    } satisfies PendingDisconnectWebhook;
    expect(webhooks.read({ type: "", body: JSON.stringify(warning) })).toEqual({
      consentId: "item-1",
      organizationId: null,
      kind: "consent_ending",
      endsAt: new Date("2026-03-09T09:00:00Z"),
    });
  });

  it("takes no end from PENDING_EXPIRATION, which may come after a renewal: the item has it", () => {
    const warning = {
      webhook_type: "ITEM",
      webhook_code: "PENDING_EXPIRATION",
      item_id: "item-1",
      consent_expiration_time: "2026-03-09T09:00:00Z",
      environment: WebhookEnvironmentValues.Sandbox,
    } satisfies PendingExpirationWebhook;
    const check = { consentId: "item-1", organizationId: null, kind: "consent_changed" };
    expect(webhooks.read({ type: "", body: JSON.stringify(warning) })).toEqual(check);
  });

  it("reads that a person finished a link, and ignores one that they left", () => {
    const finished = {
      webhook_type: "LINK",
      webhook_code: "SESSION_FINISHED",
      status: "SUCCESS",
      link_session_id: "session-1",
      link_token: "link-sandbox-1",
      public_tokens: ["public-sandbox-1"],
      environment: WebhookEnvironmentValues.Sandbox,
    } satisfies LinkSessionFinishedWebhook;
    const readLink = (fields: object) => webhooks.read({ type: "", body: JSON.stringify(fields) });
    expect(readLink(finished)).toEqual({ kind: "link_finished", state: "link-sandbox-1" });
    expect(readLink({ ...finished, status: "EXITED", public_tokens: [] })).toBeNull();
  });

  it("ignores an event without an item, and text that is not an event", () => {
    expect(read({ item_id: undefined })).toBeNull();
    expect(webhooks.read({ type: "", body: "nonsense" })).toBeNull();
  });
});
