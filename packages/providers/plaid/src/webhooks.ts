import { createHash, timingSafeEqual } from "node:crypto";
import type { BankEvent, BankWebhookCheck, BankWebhooks } from "@purser/banking/ports";
import { isTimely } from "@purser/platform/inbox";
import { type JWTPayload, jwtVerify } from "jose";
import { z } from "zod";
import { endsConsent, plaidErrorKind } from "./errors.ts";
import type { FindVerificationKey } from "./keys.ts";

/**
 * Verifies and reads webhooks. A JWT in the header `Plaid-Verification` signs the time and the hash of the body. See
 * https://plaid.com/docs/api/webhooks/webhook-verification/.
 */
export function plaidWebhooks(findKey: FindVerificationKey): BankWebhooks {
  return {
    verify: async (body, headers, now) => {
      const claims = await signedClaims(findKey, headers.get("plaid-verification"), now);
      const hash = createHash("sha256").update(body).digest();
      if (claims === null || !matchesHash(claims["request_body_sha256"], hash)) return refused("signature");
      if (claims.iat === undefined || !isTimely(new Date(claims.iat * 1000), now)) return refused("time");
      const event = parseAs(Event, body.toString("utf8"));
      if (event === null) return refused("malformed");
      // Events have no id, and two events about changes of one item differ only in their time.
      const eventId = `${hash.toString("hex")}.${claims.iat}`;
      return { outcome: "verified", eventId, type: `${event.webhook_type}.${event.webhook_code}` };
    },
    read: ({ body }) => {
      const event = parseAs(ItemEvent, body);
      const kind = event && kindOfEvent(event);
      return event && kind && { consentId: event.item_id, organizationId: null, kind };
    },
  };
}

async function signedClaims(
  findKey: FindVerificationKey,
  token: string | null,
  now: Date,
): Promise<JWTPayload | null> {
  if (token === null) return null;
  const keyOf = async ({ kid }: { kid?: string | undefined }) => {
    const key = kid === undefined ? null : await findKey(kid, now);
    if (key === null) throw new Error("Unknown key");
    return key;
  };
  try {
    // With a symmetric algorithm anyone could sign with the public key.
    const { payload } = await jwtVerify(token, keyOf, { algorithms: ["ES256"], currentDate: now });
    return payload;
  } catch {
    // Also if the key cannot be requested: Plaid sends a refused webhook again.
    return null;
  }
}

function matchesHash(claim: unknown, hash: Buffer): boolean {
  if (typeof claim !== "string") return false;
  const received = Buffer.from(claim, "hex");
  return received.length === hash.length && timingSafeEqual(received, hash);
}

function refused(reason: "signature" | "time" | "malformed"): BankWebhookCheck {
  return { outcome: "refused", reason };
}

const Event = z.object({
  webhook_type: z.string().min(1).max(100),
  webhook_code: z.string().min(1).max(100),
});
const ItemEvent = Event.extend({
  item_id: z.string().min(1),
  error: z.object({ error_code: z.string() }).nullish(),
});

const eventKinds: Readonly<Record<string, BankEvent["kind"]>> = {
  "TRANSACTIONS.SYNC_UPDATES_AVAILABLE": "transactions_changed",
  "TRANSACTIONS.INITIAL_UPDATE": "transactions_changed",
  "TRANSACTIONS.HISTORICAL_UPDATE": "transactions_changed",
  "ITEM.USER_PERMISSION_REVOKED": "consent_revoked",
  // Revokes one of several accounts; the consent stays in force.
  "ITEM.USER_ACCOUNT_REVOKED": "consent_changed",
  "ITEM.LOGIN_REPAIRED": "consent_changed",
  "ITEM.NEW_ACCOUNTS_AVAILABLE": "consent_changed",
  // Warnings before the end of the consent.
  "ITEM.PENDING_DISCONNECT": "consent_changed",
  "ITEM.PENDING_EXPIRATION": "consent_changed",
};

function kindOfEvent({ webhook_type: type, webhook_code: code, error }: z.infer<typeof ItemEvent>) {
  if (type !== "ITEM" || code !== "ERROR") return eventKinds[`${type}.${code}`] ?? null;
  if (!error) return null;
  if (endsConsent(error.error_code)) return "consent_revoked";
  return plaidErrorKind(error.error_code) === "reauthorization_required" ? "reauthorization_required" : null;
}

function parseAs<T>(schema: z.ZodType<T>, body: string): T | null {
  try {
    return schema.safeParse(JSON.parse(body)).data ?? null;
  } catch {
    return null;
  }
}
