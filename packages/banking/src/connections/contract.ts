import { Id, Instant, bankConnectionStatuses, bankConsentStatuses, page, text } from "@purser/core";
import { z } from "zod";
import { BankProviderName, InstitutionId } from "../contract.ts";

const ConsentStatus = z.enum(bankConsentStatuses).meta({ id: "BankConsentStatus" });

const ConnectionStatus = z.enum(bankConnectionStatuses).meta({ id: "BankConnectionStatus" });

const Consent = z
  .object({
    id: z.string(),
    status: ConsentStatus,
    scopes: z.array(z.string()),
    expiresAt: z.date(),
    revokedAt: z.date().nullable(),
  })
  .meta({ id: "BankConsent" });

export const BankConnection = z
  .object({
    id: z.string(),
    teamId: z.string(),
    provider: z.string(),
    providerId: z.string(),
    status: ConnectionStatus,
    consents: z.array(Consent),
  })
  .meta({ id: "BankConnection" });

export const DisconnectedBankConnection = z
  .object({
    id: z.string(),
    status: z.literal("DISCONNECTED"),
    consents: z.array(z.object({ id: z.string(), status: z.literal("REVOKED"), revokedAt: z.date() })),
  })
  .meta({ id: "DisconnectedBankConnection" });

export const UpdatedConsent = Consent.extend({
  status: z.literal("AUTHORIZED"),
  revokedAt: z.null(),
}).meta({ id: "UpdatedBankConsent" });

export const SyncedBankConnection = z
  .object({
    id: z.string(),
    status: z.string(),
    updatedAt: z.date(),
    consents: z.array(Consent.omit({ revokedAt: true }).extend({ status: z.string() })),
  })
  .meta({ id: "SyncedBankConnection" });

const connectionHealthStatuses = [
  "ok",
  "syncing",
  "needs_reauthorization",
  "failing",
  "disconnected",
] as const;

/** Whether a connection brings data, and until when. */
export const BankConnectionHealth = z
  .object({
    connectionId: z.string(),
    status: z.enum(connectionHealthStatuses).meta({ id: "BankConnectionHealthStatus" }),
    /** The error code of the last sync, or the code of what the user has to do. */
    reason: z.string().nullable(),
    lastSuccessAt: z.date().nullable(),
    nextSyncAt: z.date().nullable(),
    /** The reads without a user that the provider still allows in these 24 hours; null for no limit. */
    quotaRemaining: z.int().nonnegative().nullable(),
    consentExpiresAt: z.date(),
  })
  .meta({ id: "BankConnectionHealth" });

export const ReconfirmedConsent = UpdatedConsent.extend({
  /** By when the next confirmation is due; null for never. */
  reconfirmBy: z.date().nullable(),
}).meta({ id: "ReconfirmedBankConsent" });

export const ListConnectionHealth = z.strictObject({ teamId: Id });

export const ListConnections = z.strictObject({ teamId: Id, ...page("bcn") });

/** A JSON object of at most 50 keys in all, 5 levels and 16 kB. */
const Metadata = z.record(text(255), z.unknown()).refine(isModest, {
  error: "Must be JSON of at most 50 keys, 5 levels and 16 kB, without U+0000 and unpaired surrogates",
});

export const Connect = z.strictObject({
  teamId: Id,
  provider: BankProviderName,
  providerId: InstitutionId,
  consentId: text(255).min(1),
  metadata: Metadata.optional(),
});

export const TheConnection = z.strictObject({ teamId: Id, connectionId: Id });

export const UpdateConsent = TheConnection.extend({
  scopes: z.array(text(100).trim().min(1)).min(1).max(50),
  expiresAt: Instant,
});

function isModest(metadata: Record<string, unknown>): boolean {
  let keys = 0;
  const isPlain = (value: unknown, depth: number): boolean => {
    if (typeof value === "string") return !value.includes("\0") && value.isWellFormed();
    if (typeof value === "number") return Number.isFinite(value);
    if (typeof value !== "object" || value === null) return value === null || typeof value === "boolean";
    if (depth === 5) return false;
    if (Array.isArray(value)) return value.every((item) => isPlain(item, depth + 1));
    if (Object.getPrototypeOf(value) !== Object.prototype) return false;
    const fields = Object.entries(value);
    keys += fields.length;
    return fields.every(([key, item]) => isPlain(key, depth) && isPlain(item, depth + 1));
  };
  return isPlain(metadata, 0) && keys <= 50 && Buffer.byteLength(JSON.stringify(metadata)) <= 16_384;
}
