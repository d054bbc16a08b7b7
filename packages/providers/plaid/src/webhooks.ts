import { hash, timingSafeEqual } from "node:crypto";
import type { BankConsentEvent, BankWebhooks } from "@purser/banking/ports";
import { isTimely } from "@purser/platform/inbox";
import { parseWebhookBody, refuseWebhook } from "@purser/platform/providers";
import { type JWTPayload, jwtVerify } from "jose";
import { z } from "zod";
import { PlaidError, endsConsent, plaidErrorKind } from "./errors.ts";
import type { FindVerificationKey } from "./keys.ts";
import { PlaidInstant } from "./responses.ts";

/**
 * Verifies and reads webhooks. A JWT in the header `Plaid-Verification` signs the time and the hash of the body. See
 * https://plaid.com/docs/api/webhooks/webhook-verification/.
 */
export function plaidWebhooks(findKey: FindVerificationKey): BankWebhooks {
  return {
    verify: async (body, headers, now, sender) => {
      const token = headers.get("plaid-verification");
      const claims = await signedClaims((kid) => findKey(kid, now, sender), token, now);
      const digest = hash("sha256", body, "buffer");
      if (claims === null || !matchesHash(claims["request_body_sha256"], digest))
        return refuseWebhook("signature");
      if (claims.iat === undefined || !isTimely(new Date(claims.iat * 1000), now))
        return refuseWebhook("time");
      const event = parseAs(Event, body.toString("utf8"));
      if (event === null) return refuseWebhook("malformed");
      // Events have no id, and two events about changes of one item differ only in their time.
      // A repetition that is signed again is a new event: one more sync, which changes nothing.
      const eventId = `${digest.toString("hex")}.${claims.iat}`;
      return { outcome: "verified", eventId, type: `${event.webhook_type}.${event.webhook_code}` };
    },
    read: ({ body }) => {
      const link = parseAs(LinkEvent, body);
      if (link !== null)
        return link.status === "SUCCESS" ? { kind: "link_finished", state: link.link_token } : null;
      const event = parseAs(ItemEvent, body);
      if (event === null) return null;
      const consent = { consentId: event.item_id, organizationId: null };
      const endsAt = event.disconnect_time;
      if (isDisconnection(event) && endsAt) return { ...consent, kind: "consent_ending", endsAt };
      const kind = kindOfEvent(event);
      return kind && { ...consent, kind };
    },
  };
}

async function signedClaims(
  findKey: (kid: string) => ReturnType<FindVerificationKey>,
  token: string | null,
  now: Date,
): Promise<JWTPayload | null> {
  if (token === null) return null;
  const keyOf = async ({ kid }: { kid?: string | undefined }) => {
    const key = kid === undefined ? null : await findKey(kid);
    if (key === null) throw new Error("Unknown key");
    return key;
  };
  try {
    // With a symmetric algorithm anyone could sign with the public key.
    const { payload } = await jwtVerify(token, keyOf, { algorithms: ["ES256"], currentDate: now });
    return payload;
  } catch (error) {
    if (error instanceof PlaidError) throw error;
    return null;
  }
}

function matchesHash(claim: unknown, digest: Buffer): boolean {
  if (typeof claim !== "string") return false;
  const received = Buffer.from(claim, "hex");
  return received.length === digest.length && timingSafeEqual(received, digest);
}

const Event = z.object({
  webhook_type: z.string().min(1).max(100),
  webhook_code: z.string().min(1).max(100),
});
const ItemEvent = Event.extend({
  item_id: z.string().min(1),
  error: z.object({ error_code: z.string() }).nullish(),
  /** Of `PENDING_DISCONNECT`, which Plaid sends 7 days before, in the US and Canada. */
  disconnect_time: PlaidInstant.nullish().catch(null),
});

const isDisconnection = ({ webhook_type: type, webhook_code: code }: z.infer<typeof Event>) =>
  type === "ITEM" && code === "PENDING_DISCONNECT";

/** The SDK's `LinkSessionFinishedWebhook`. Plaid sends it also if the person closes the browser. */
const LinkEvent = z.object({
  webhook_type: z.literal("LINK"),
  webhook_code: z.literal("SESSION_FINISHED"),
  status: z.string(),
  link_token: z.string().min(1),
});

type PlainKind = Exclude<BankConsentEvent["kind"], "consent_ending">;

const eventKinds: Readonly<Record<string, PlainKind>> = {
  "TRANSACTIONS.SYNC_UPDATES_AVAILABLE": "transactions_changed",
  "TRANSACTIONS.INITIAL_UPDATE": "transactions_changed",
  "TRANSACTIONS.HISTORICAL_UPDATE": "transactions_changed",
  "ITEM.USER_PERMISSION_REVOKED": "consent_revoked",
  // Revokes one of several accounts; the consent stays in force.
  "ITEM.USER_ACCOUNT_REVOKED": "consent_changed",
  "ITEM.LOGIN_REPAIRED": "consent_changed",
  "ITEM.NEW_ACCOUNTS_AVAILABLE": "consent_changed",
  // Without its time.
  "ITEM.PENDING_DISCONNECT": "consent_changed",
  // In Europe. The sync reads the end from the item: that of the event is an earlier one if a person has renewed the consent.
  "ITEM.PENDING_EXPIRATION": "consent_changed",
};

function kindOfEvent({ webhook_type: type, webhook_code: code, error }: z.infer<typeof ItemEvent>) {
  if (type !== "ITEM" || code !== "ERROR") return eventKinds[`${type}.${code}`] ?? null;
  if (!error) return null;
  if (endsConsent(error.error_code)) return "consent_revoked";
  return plaidErrorKind(error.error_code) === "reauthorization_required" ? "reauthorization_required" : null;
}

const parseAs = <T>(schema: z.ZodType<T>, body: string): T | null =>
  schema.safeParse(parseWebhookBody(body)).data ?? null;
