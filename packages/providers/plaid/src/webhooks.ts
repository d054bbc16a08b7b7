import { createHash, timingSafeEqual } from "node:crypto";
import { type JWTPayload, jwtVerify } from "jose";
import { z } from "zod";
import { isTimely } from "@purser/platform/inbox";
import type { BankEvent, BankWebhookCheck, BankWebhooks } from "@purser/banking/ports";
import { isEnd, kindOf } from "./errors.ts";
import type { FindKey } from "./keys.ts";

/** Plaid's webhooks: a JWT in the header `Plaid-Verification` signs the time and the hash of the body. */
export function plaidWebhooks(findKey: FindKey): BankWebhooks {
  return {
    verify: async (body, headers, now) => {
      const claims = await signedClaims(findKey, headers.get("plaid-verification"), now);
      const hash = createHash("sha256").update(body).digest();
      if (claims === null || !isHash(claims["request_body_sha256"], hash)) return refused("signature");
      if (claims.iat === undefined || !isTimely(new Date(claims.iat * 1000), now)) return refused("time");
      const event = parsed(Event, body.toString("utf8"));
      if (event === null) return refused("malformed");
      // Plaid gives events no id, and those that tell of changes are all alike but for their time.
      const eventId = `${hash.toString("hex")}.${claims.iat}`;
      return { outcome: "verified", eventId, type: `${event.webhook_type}.${event.webhook_code}` };
    },
    read: ({ body }) => {
      const notice = parsed(Notice, body);
      const kind = notice && kindOfNotice(notice);
      return notice && kind && { consentId: notice.item_id, organizationId: null, kind };
    },
  };
}

async function signedClaims(findKey: FindKey, token: string | null, now: Date): Promise<JWTPayload | null> {
  if (token === null) return null;
  const keyOf = async ({ kid }: { kid?: string | undefined }) => {
    const key = kid === undefined ? null : await findKey(kid, now);
    if (key === null) throw new Error("Plaid has no such key");
    return key;
  };
  try {
    // No other algorithm: with one that is symmetric, the public key could be used to sign.
    const { payload } = await jwtVerify(token, keyOf, { algorithms: ["ES256"], currentDate: now });
    return payload;
  } catch {
    // Also where Plaid does not tell the key: it repeats what was not taken in.
    return null;
  }
}

function isHash(claim: unknown, hash: Buffer): boolean {
  if (typeof claim !== "string") return false;
  const presented = Buffer.from(claim, "hex");
  return presented.length === hash.length && timingSafeEqual(presented, hash);
}

function refused(reason: "signature" | "time" | "malformed"): BankWebhookCheck {
  return { outcome: "refused", reason };
}

const Event = z.object({
  webhook_type: z.string().min(1).max(100),
  webhook_code: z.string().min(1).max(100),
});
const Notice = Event.extend({
  item_id: z.string().min(1),
  error: z.object({ error_code: z.string() }).nullish(),
});

const notices: Readonly<Record<string, BankEvent["kind"]>> = {
  "TRANSACTIONS.SYNC_UPDATES_AVAILABLE": "transactions_changed",
  "TRANSACTIONS.INITIAL_UPDATE": "transactions_changed",
  "TRANSACTIONS.HISTORICAL_UPDATE": "transactions_changed",
  "ITEM.USER_PERMISSION_REVOKED": "consent_revoked",
  // One account of several: what is left of the consent is in force.
  "ITEM.USER_ACCOUNT_REVOKED": "consent_changed",
  "ITEM.LOGIN_REPAIRED": "consent_changed",
  "ITEM.NEW_ACCOUNTS_AVAILABLE": "consent_changed",
  // These two warn: nothing has ended yet.
  "ITEM.PENDING_DISCONNECT": "consent_changed",
  "ITEM.PENDING_EXPIRATION": "consent_changed",
};

function kindOfNotice({ webhook_type: type, webhook_code: code, error }: z.infer<typeof Notice>) {
  if (type !== "ITEM" || code !== "ERROR") return notices[`${type}.${code}`] ?? null;
  if (!error) return null;
  if (isEnd(error.error_code)) return "consent_revoked";
  return kindOf(error.error_code) === "reauthorization_required" ? "reauthorization_required" : null;
}

function parsed<T>(schema: z.ZodType<T>, body: string): T | null {
  try {
    return schema.safeParse(JSON.parse(body)).data ?? null;
  } catch {
    return null;
  }
}
