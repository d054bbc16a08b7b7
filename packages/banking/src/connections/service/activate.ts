import { Problem, newId, unknownCountry } from "@purser/core";
import type { Transaction } from "@purser/db";
import { type Act, recordAudit } from "@purser/platform";
import { countryOfAccounts } from "../../accounts/rules.ts";
import { type PermittedAccounts, reconcilePermittedAccounts } from "../../accounts/service/permitted.ts";
import type { BankingPlatform } from "../../context.ts";
import { recordAccountEvents, recordConnectionEvent } from "../../feed-events/service.ts";
import { deleteExchange } from "../../exchanges/store.ts";
import { findRenewedConnection } from "../../link/store.ts";
import type { PresentPerson } from "../../person.ts";
import type { Grant, ProviderName } from "../../ports.ts";
import { requestSync } from "../../syncs/service/run.ts";
import { isRenewedBy, limitsAfterRenewal, noExpiry, reactivated } from "../rules.ts";
import {
  type ConnectionRow,
  type ConsentRow,
  findNewestConsent,
  insertConnection,
  lockConnection,
  setConnection,
  upsertConsent,
} from "../store.ts";
import { endConsents } from "./revoke.ts";

/** The consent to connect: the caller's input, or the result of a link. */
export interface ConnectInput {
  teamId: string;
  provider: ProviderName;
  providerId: string;
  consentId: string;
  metadata?: Record<string, unknown> | undefined;
}

export interface Activation {
  act: Act;
  person: PresentPerson | undefined;
  input: ConnectInput;
  /** Keyed hashes of the consent id that the caller passed. */
  hashes: string[];
  known: ConsentRow | undefined;
  grant: Grant;
  read: PermittedAccounts;
  /** Whether the grant is of a single-use secret, whose exchange is stored until a connection uses it. */
  isExchanged: boolean;
}

/** Stores an activated consent with its connection and accounts, and requests the first sync. */
export async function activateGrant(
  ctx: BankingPlatform,
  transaction: Transaction,
  activation: Activation,
): Promise<ConnectionRow> {
  const { act, person, input, grant, read } = activation;
  const { teamId: organizationId, provider, providerId } = input;
  const now = ctx.clock.now();
  const connectionId = await findContinuedConnection(transaction, activation);
  const newest =
    connectionId === undefined
      ? undefined
      : await findNewestConsent(transaction, organizationId, connectionId);
  const isSameConsent = newest?.id === grant.consentId;
  const connection = await activateConnection(ctx, transaction, activation, { connectionId, isSameConsent });
  const consent = activatedConsent(activation, connection.id, newest, now);
  await upsertConsent(transaction, ctx.settings.encryptionKeys, consent);
  const source = { organizationId, connectionId: connection.id, now };
  const changed = await reconcilePermittedAccounts(ctx, transaction, source, read);
  // A superseded consent would stay valid at the bank, and cost money at the provider.
  await endConsents(ctx, transaction, connection, grant.consentId);
  await takeExchange(transaction, activation);
  await requestSync(ctx, transaction, connection, "CONNECT", person);
  const details = { provider, providerId, accounts: read.accounts?.length ?? null };
  recordAudit(transaction, { ...act, at: now, organizationId, subject: connection.id, details });
  await recordConnectionEvent(ctx, transaction, act.actor, connection, "bank_connection.connected", {});
  await recordAccountEvents(ctx, transaction, act.actor, { organizationId, ...changed });
  return connection;
}

/** The connection that a consent continues: that of the same consent, or that of the link by which the person renewed it. */
async function findContinuedConnection(
  transaction: Transaction,
  { known, input, hashes }: Activation,
): Promise<string | undefined> {
  if (known !== undefined) return known.connectionId;
  const institution = { organizationId: input.teamId, institutionId: input.providerId };
  return findRenewedConnection(transaction, institution, hashes);
}

/** The row of a consent. A renewal in place keeps the limits that the team has set. */
function activatedConsent(
  { input, known, hashes, grant }: Activation,
  connectionId: string,
  newest: ConsentRow | undefined,
  now: Date,
): ConsentRow {
  const { scopes, expiresAt } = isRenewedBy(known, grant)
    ? limitsAfterRenewal(known, grant, now)
    : { scopes: grant.scopes, expiresAt: grant.expiresAt ?? noExpiry };
  return {
    organizationId: input.teamId,
    connectionId,
    id: grant.consentId,
    provider: input.provider,
    // The consent is found by its id in any case. A secret is found only by the hash of the latest one.
    referenceHash: known?.id === input.consentId ? known.referenceHash : hashes[0]!,
    token: grant.token,
    status: "AUTHORIZED",
    scopes,
    expiresAt,
    grantedScopes: grant.isLimit ? grant.scopes : null,
    grantedUntil: grant.isLimit ? grant.expiresAt : null,
    reconfirmBy: grant.reconfirmBy ?? null,
    disconnectAt: null,
    revokedAt: null,
    remindedDays: null,
    // The newest consent is used, so no two consents may have the same time.
    createdAt: new Date(Math.max(now.getTime(), newest ? newest.createdAt.getTime() + 1 : 0)),
  };
}

/** Deletes the exchange of a secret that a connection uses now. */
async function takeExchange(
  transaction: Transaction,
  { input, hashes, isExchanged }: Activation,
): Promise<void> {
  const { teamId: organizationId, provider } = input;
  const exchange = await deleteExchange(transaction, { organizationId, provider, hashes });
  // It waited too long: a job that revokes it has taken it.
  if (isExchanged && exchange === undefined) throw new Problem("CONSENT_NOT_FOUND");
}

/** Activates the connection of this consent, or inserts a new one. The cursor is kept only for the same consent. */
async function activateConnection(
  ctx: BankingPlatform,
  transaction: Transaction,
  { input, grant, read }: Activation,
  { connectionId, isSameConsent }: { connectionId: string | undefined; isSameConsent: boolean },
): Promise<ConnectionRow> {
  const now = ctx.clock.now();
  const { teamId: organizationId, provider, providerId: institutionId } = input;
  const before =
    connectionId === undefined ? undefined : await lockConnection(transaction, organizationId, connectionId);
  const { name: institutionName, country } = grant.institution;
  const namedCountry = country === unknownCountry ? (before?.institutionCountry ?? country) : country;
  const change = {
    institutionName,
    // A provider names one country of a bank that is in several.
    institutionCountry: countryOfAccounts(read.accounts ?? []) ?? namedCountry,
    metadata: input.metadata ?? before?.metadata ?? {},
    ...reactivated,
  };
  if (before === undefined) {
    const key = { organizationId, id: newId("bcn", now), provider, institutionId };
    const connection = {
      ...key,
      ...change,
      cursor: null,
      isBackfilling: false,
      syncedAt: null,
      bankReadAt: null,
      totaledAt: null,
      createdAt: now,
    };
    await insertConnection(transaction, connection);
    return connection;
  }
  if (before.institutionId !== institutionId) throw new Problem("CONSENT_NOT_FOUND");
  // Another consent may use other ids, so everything is read and matched again.
  const cursor = isSameConsent && before.status === "ACTIVE" ? before.cursor : null;
  await setConnection(transaction, before, { ...change, cursor });
  return { ...before, ...change, cursor };
}
