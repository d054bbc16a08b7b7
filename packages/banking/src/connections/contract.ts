import {
  Id,
  Instant,
  bankConnectionStatuses,
  bankConsentStatuses,
  explained,
  explainedValues,
  page,
  sharedFields,
  text,
  usualConsentScopes,
} from "@purser/core";
import { z } from "zod";
import {
  BankProviderName,
  BankSyncErrorCode,
  InstitutionId,
  institutionId,
  providerName,
  sandboxConsentId,
  teamId,
} from "../contract.ts";

const ConsentStatus = z.enum(bankConsentStatuses).meta({
  id: "BankConsentStatus",
  ...explainedValues(bankConsentStatuses, "Whether the consent permits reading the bank.", {
    AUTHORIZED: "the bank may be read until `expiresAt`.",
    REVOKED: "the consent has ended: it was revoked, or it has expired.",
  }),
});

const ConnectionStatus = z.enum(bankConnectionStatuses).meta({
  id: "BankConnectionStatus",
  ...explainedValues(bankConnectionStatuses, "Whether the connection is in use.", {
    ACTIVE:
      "it is read on a schedule while its consent lasts. `banking.connections.health` shows whether that works.",
    DISCONNECTED: "it is no longer read. Its accounts and transactions stay.",
  }),
});

const consentId = explained(
  "The consent's id at the provider: the `consentId` of the connect call, or the item id at Plaid.",
  "consent-7f3a9c",
);
const scopes = explained(
  "What the consent permits to read. Usual scopes are `accounts`, `balances` and `transactions`. What is left out is not read.",
  usualConsentScopes,
);
const expiresAt = explained(
  "When the consent ends. The person has to renew it at the bank before.",
  new Date("2026-05-31T09:15:00.000Z"),
);
const revokedAt = explained(
  "When the consent ended: when it was revoked, or its `expiresAt`. Null while it is AUTHORIZED.",
  new Date("2026-04-15T08:00:00.000Z"),
);

const Consent = z
  .object({
    id: z.string().meta(consentId),
    status: ConsentStatus,
    scopes: z.array(z.string()).meta(scopes),
    expiresAt: z.date().meta(expiresAt),
    // Its other examples are of a consent that may be used.
    revokedAt: z
      .date()
      .nullable()
      .meta({ ...revokedAt, examples: [null] }),
  })
  .meta({
    id: "BankConsent",
    description: "A person's permission, given at the bank, to read their accounts.",
  });

export const BankConnection = z
  .object({
    id: z.string().meta(sharedFields.connectionId),
    teamId: z.string().meta(sharedFields.teamId),
    provider: z.string().meta(providerName),
    providerId: z.string().meta(institutionId),
    status: ConnectionStatus,
    consents: z
      .array(Consent)
      .meta(explained("The consents of the connection, newest first. The newest is in use.")),
  })
  .meta({ id: "BankConnection", description: "A team's connection to a bank." });

export const DisconnectedBankConnection = z
  .object({
    id: z.string().meta(sharedFields.connectionId),
    status: z.literal("DISCONNECTED").meta(explained("The connection is no longer read.", "DISCONNECTED")),
    consents: z
      .array(
        z.object({
          id: z.string().meta(consentId),
          status: z.literal("REVOKED").meta(explained("The consent has ended.", "REVOKED")),
          revokedAt: z.date().meta({
            ...revokedAt,
            description: "When the consent ended. A repeated call shows the same time.",
          }),
        }),
      )
      .meta(explained("The consents of the connection, newest first.")),
  })
  .meta({ id: "DisconnectedBankConnection", description: "A bank connection after it was disconnected." });

export const UpdatedConsent = Consent.extend({
  status: z.literal("AUTHORIZED").meta(explained("The consent permits reading the bank.", "AUTHORIZED")),
  revokedAt: z.null().meta(explained("Null, because the consent has not ended.", null)),
}).meta({ id: "UpdatedBankConsent", description: "A consent in force." });

export const SyncedBankConnection = z
  .object({
    id: z.string().meta(sharedFields.connectionId),
    status: z.string().meta(explained("The connection's status: `ACTIVE` or `DISCONNECTED`.", "ACTIVE")),
    updatedAt: z
      .date()
      .meta(
        explained(
          "When the last successful sync ended. `bankReadAt` of `banking.connections.health` says how old its data is.",
          new Date("2026-03-02T09:20:00.000Z"),
        ),
      ),
    consents: z
      .array(
        Consent.omit({ revokedAt: true }).extend({
          status: z
            .string()
            .meta(explained("The consent's status: `AUTHORIZED` or `REVOKED`.", "AUTHORIZED")),
        }),
      )
      .meta(explained("The consents of the connection, newest first.")),
  })
  .meta({ id: "SyncedBankConnection", description: "A bank connection after a sync." });

const reconfirmBy = z
  .date()
  .nullable()
  .meta(
    explained(
      "By when the consent has to be confirmed the next time. Null for never.",
      new Date("2026-05-31T09:15:00.000Z"),
    ),
  );

const deadlineKinds = ["CONSENT_ENDS", "CONFIRMATION_DUE"] as const;

const connectionHealthStatuses = [
  "ok",
  "syncing",
  "needs_reauthorization",
  "failing",
  "disconnected",
] as const;

export const BankConnectionHealth = z
  .object({
    connectionId: z.string().meta(sharedFields.connectionId),
    status: z.enum(connectionHealthStatuses).meta({
      id: "BankConnectionHealthStatus",
      ...explainedValues(connectionHealthStatuses, "Whether the connection brings data.", {
        ok: "the last sync succeeded.",
        syncing:
          "a sync is waiting or running, or the provider is still preparing the history of a new consent.",
        needs_reauthorization: "nothing is read until the person renews the consent at the bank.",
        failing: "the last sync failed. The service retries automatically.",
        disconnected: "the connection is no longer read.",
      }),
    }),
    reason: BankSyncErrorCode.nullable().meta(
      explained(
        "The error code of the last sync, such as `PROVIDER_ERROR`, or what the person has to do: `CONSENT_EXPIRED` or `REAUTHORIZATION_REQUIRED`. Null if nothing is wrong.",
        "CONSENT_EXPIRED",
      ),
    ),
    lastSuccessAt: z
      .date()
      .nullable()
      .meta(
        explained(
          "When the last successful sync ended. Null before the first.",
          new Date("2026-03-02T09:20:00.000Z"),
        ),
      ),
    bankReadAt: z
      .date()
      .nullable()
      .meta(
        explained(
          "How old the data is: when the bank was last read for what the last successful sync brought. Plaid reads the banks itself, so this may be hours before `lastSuccessAt`. Null if it is not known.",
          new Date("2026-03-02T03:05:00.000Z"),
        ),
      ),
    nextSyncAt: z
      .date()
      .nullable()
      .meta(
        explained(
          "When the next scheduled sync is due. Null if none is.",
          new Date("2026-03-02T15:20:00.000Z"),
        ),
      ),
    quotaRemaining: z
      .int()
      .nonnegative()
      .nullable()
      .meta(
        explained(
          "How often the bank may still be read within 24 hours without a person present. At 0, `banking.connections.sync` is `RATE_LIMITED` for an API key. Null if there is no limit, and for a disconnected connection.",
          3,
        ),
      ),
    institutionName: z.string().meta(explained("The name of the bank.", "Sandbox Bank")),
    canSync: z
      .boolean()
      .meta(
        explained(
          "Whether `banking.connections.sync` reads the bank now. False for a disconnected connection, and for a consent that has expired.",
          true,
        ),
      ),
    deadline: z
      .date()
      .meta(
        explained(
          "By when a person has to act next: the earlier one of `consentExpiresAt` and `reconfirmBy`.",
          new Date("2026-05-31T09:15:00.000Z"),
        ),
      ),
    deadlineKind: z.enum(deadlineKinds).meta({
      id: "BankDeadlineKind",
      ...explainedValues(deadlineKinds, "What the deadline is.", {
        CONSENT_ENDS: "the consent ends. The person renews it at the bank before.",
        CONFIRMATION_DUE: "the consent has to be confirmed. `banking.connections.reconfirm` does it.",
      }),
    }),
    consentExpiresAt: z.date().meta({ ...expiresAt, description: "When the newest consent ends." }),
    reconfirmBy,
    canReconfirm: z
      .boolean()
      .meta(
        explained(
          "Whether `banking.connections.reconfirm` can confirm the newest consent. False for a consent that has ended, and where the provider confirms none.",
          true,
        ),
      ),
    isConsentEnding: z
      .boolean()
      .meta(
        explained(
          "Whether a person should act soon, because `reconfirmBy` or `consentExpiresAt` is at most 14 days away. Owners get a mail then. False for a consent that has ended.",
          false,
        ),
      ),
  })
  .meta({ id: "BankConnectionHealth", description: "Whether a connection brings data, and until when." });

export const ReconfirmedConsent = UpdatedConsent.extend({
  reconfirmBy,
}).meta({ id: "ReconfirmedBankConsent", description: "A consent after its confirmation." });

export const ListConnectionHealth = z.strictObject({ teamId, ...page("bcn") });

export const ListConnections = z.strictObject({ teamId, ...page("bcn") });

/** A JSON object of at most 50 keys in all, 5 levels and 16 kB. */
const Metadata = z.record(text(255), z.unknown()).refine(isModest, {
  error: "Must be JSON of at most 50 keys, 5 levels and 16 kB, without U+0000 and unpaired surrogates",
});

export const Connect = z
  .strictObject({
    teamId,
    provider: BankProviderName,
    providerId: InstitutionId,
    consentId: text(255)
      .min(1)
      .meta({
        ...consentId,
        description:
          "The consent that the person gave, as the link's page returned it, or Plaid's public token. The sandbox takes any letters, digits, dashes and underscores. There `fail-revoked`, `fail-expired`, `fail-outage` and `fail-foreign` fail as their names say.",
      }),
    metadata: Metadata.meta(
      explained(
        "Any JSON object of your own. It is stored and not returned. At most 50 keys, 5 levels and 16 kB.",
        {
          reference: "onboarding-2026-03",
        },
      ),
    ).optional(),
  })
  .refine((input) => input.provider !== "sandbox" || sandboxConsentId.test(input.consentId), {
    path: ["consentId"],
    error: "A consent id of the sandbox has only letters, digits, - and _",
  });

export const TheConnection = z.strictObject({ teamId, connectionId: Id.meta(sharedFields.connectionId) });

export const UpdateConsent = TheConnection.extend({
  scopes: z
    .array(text(100).trim().min(1))
    .min(1)
    .max(50)
    .meta({
      ...scopes,
      description:
        "What may be read, at most what the bank has granted. Usual scopes are `accounts`, `balances` and `transactions`. What is left out is no longer read. Where the bank sets no limit, as with a consent id of your own in the sandbox, a list without any of these three names limits nothing.",
    }),
  expiresAt: Instant.meta({
    ...expiresAt,
    description: "When the consent is to end: in the future, and not after what the bank has granted.",
  }),
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
