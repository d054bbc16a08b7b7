import { Problem, invalidField } from "@purser/core";
import type { Transaction } from "@purser/db";
import { lockForOwner } from "@purser/organizations";
import { actorOf, audit, transactAfterProviderCall } from "@purser/platform";
import type { z } from "zod";
import {
  type PermittedAccounts,
  fetchPermittedAccounts,
  reconcilePermittedAccounts,
} from "../../accounts/service/permitted.ts";
import { callBank } from "../../call-provider.ts";
import type { BankingContext } from "../../context.ts";
import { recordAccountEvents, recordConnectionEvent } from "../../feed-events/service.ts";
import { renewalLink } from "../../link/service/hosted-links.ts";
import { personOf } from "../../person.ts";
import type { Grant } from "../../ports.ts";
import { requestSync } from "../../syncs/service/run.ts";
import type { UpdateConsent } from "../contract.ts";
import { consentAt, isGranted, isActiveAtBank, reactivated, withheldScopes } from "../rules.ts";
import {
  type ConnectionRow,
  type ConsentRow,
  findConnection,
  findNewestConsent,
  lockConnection,
  setConnection,
  setConsent,
  upsertConsent,
} from "../store.ts";
import { withConsentLock } from "./consent-lock.ts";

type Input = z.output<typeof UpdateConsent>;

/** The bank's response when this consent was reopened; null if it did not have to be. */
type Reopened = { consentId: string; grant: Grant; read: PermittedAccounts } | null;

/** Calls the bank if the consent has ended. Without the consent's lock, it refuses that instead. */
type Reopen = () => Promise<Reopened>;

/**
 * Changes the newest consent within what the bank granted. Calls the bank only for a consent that has ended, and throws
 * REAUTHORIZATION_REQUIRED, with a link if there is one, where only a person can renew it.
 */
export function updateConsent(ctx: BankingContext, input: Input) {
  return transactAfterProviderCall(
    ctx,
    input.teamId,
    input,
    (reopen: Reopen) => {
      // Not earlier: an idempotent replay succeeds even if the date has passed meanwhile.
      refusePast(input.expiresAt, ctx.clock.now());
      return reopen();
    },
    async (transaction, reopened) => {
      await lockForOwner(ctx, transaction, input.teamId);
      const { connection, consent } = await lockConnectionAndConsent(transaction, input);
      const { scopes, expiresAt } = input;
      // The consent ended, or another one replaced it, during the call to the bank.
      const isMeant = reopened ? reopened.consentId === consent.id : isOpen(connection, consent);
      if (!isMeant) throw new Problem("UNAVAILABLE", { retryAfterSeconds: 1 });
      const accounts =
        reopened && (await activateConsent(ctx, transaction, { connection, consent, reopened }));
      // The schedule plans no sync for an expired consent.
      if (!reopened && consentAt(consent, ctx.clock.now()).status === "REVOKED")
        await requestSync(ctx, transaction, connection, "MANUAL", personOf(ctx));
      const change = { status: "AUTHORIZED" as const, scopes, expiresAt, revokedAt: null };
      await setConsent(transaction, consent, { ...change, remindedDays: null });
      audit(ctx, transaction, {
        organizationId: input.teamId,
        subject: connection.id,
        details: { consentId: consent.id, scopes, expiresAt: expiresAt.toISOString() },
      });
      if (accounts) {
        const actor = actorOf(ctx);
        await recordConnectionEvent(ctx, transaction, actor, connection, "bank_connection.connected", {});
        await recordAccountEvents(ctx, transaction, actor, accounts);
      }
      return { id: consent.id, ...change };
    },
    {
      // A consent that is reopened may still have a job that revokes it.
      within: async (update) => {
        const { connection, consent } = await findConnectionAndConsent(ctx, input);
        if (isWorking(connection, consent, ctx.clock.now())) return update(() => requireWorking(ctx, input));
        const { organizationId, provider } = connection;
        const key = { organizationId, provider, consentId: consent.id };
        return withConsentLock(ctx, key, () => update(() => reopenIfEnded(ctx, input)));
      },
    },
  );
}

function refusePast(expiresAt: Date, now: Date): void {
  if (expiresAt > now) return;
  throw invalidField("expiresAt", "Must be in the future");
}

/** Whether our records show the connection and its consent as active. */
function isOpen(connection: ConnectionRow, consent: ConsentRow): boolean {
  return connection.status === "ACTIVE" && consent.status === "AUTHORIZED";
}

/** Whether the consent need not be reopened at the bank. */
function isWorking(connection: ConnectionRow, consent: ConsentRow, now: Date): boolean {
  return (
    isOpen(connection, consent) && connection.needsReauthorization === null && isActiveAtBank(consent, now)
  );
}

async function findConnectionAndConsent({ db }: BankingContext, { teamId, connectionId }: Input) {
  const connection = await findConnection(db, teamId, connectionId);
  const consent = await findNewestConsent(db, teamId, connectionId);
  if (connection === undefined || consent === undefined) throw new Problem("CONNECTION_NOT_FOUND");
  return { connection, consent };
}

async function lockConnectionAndConsent(transaction: Transaction, { teamId, connectionId }: Input) {
  const connection = await lockConnection(transaction, teamId, connectionId);
  const consent = await findNewestConsent(transaction, teamId, connectionId);
  if (connection === undefined || consent === undefined) throw new Problem("CONNECTION_NOT_FOUND");
  return { connection, consent };
}

/** Finds what has to be reopened; null while the consent works. Throws if it does not cover the input. */
async function findEnded(ctx: BankingContext, input: Input) {
  const found = await findConnectionAndConsent(ctx, input);
  const { connection, consent } = found;
  if (isOpen(connection, consent) && !isGranted(consent, input))
    throw await reauthorization(ctx, connection, consent);
  return isWorking(connection, consent, ctx.clock.now()) ? null : found;
}

/** Throws UNAVAILABLE if the consent has ended since the decision on the lock. A retry takes it. */
async function requireWorking(ctx: BankingContext, input: Input): Promise<null> {
  if ((await findEnded(ctx, input)) !== null) throw new Problem("UNAVAILABLE", { retryAfterSeconds: 1 });
  return null;
}

/** Reopens a revoked or expired consent, if the provider can do so without the person. */
async function reopenIfEnded(ctx: BankingContext, input: Input): Promise<Reopened> {
  const ended = await findEnded(ctx, input);
  if (ended === null) return null;
  const { connection, consent } = ended;
  const { organizationId, institutionId } = connection;
  const reference = { organizationId, institutionId, consentId: consent.id };
  return callBank(ctx, connection.provider, async (bank) => {
    if (bank.reopen === undefined) throw await reauthorization(ctx, connection, consent);
    const grant = await bank.reopen(reference);
    const limits = { grantedScopes: grant.scopes, grantedUntil: grant.expiresAt };
    if (grant.isLimit && !isGranted(limits, input)) throw await reauthorization(ctx, connection, consent);
    const { id: consentId } = consent;
    const access = { ...reference, token: grant.token, personAddress: personOf(ctx)?.address };
    const { scopes } = input;
    const withheld = withheldScopes({ scopes, grantedScopes: grant.isLimit ? grant.scopes : null });
    return { consentId, grant, read: await fetchPermittedAccounts(bank, access, withheld) };
  });
}

async function reauthorization(ctx: BankingContext, connection: ConnectionRow, consent: ConsentRow) {
  const link = await renewalLink(ctx, connection, consent);
  return new Problem("REAUTHORIZATION_REQUIRED", link === null ? {} : { link });
}

async function activateConsent(
  ctx: BankingContext,
  transaction: Transaction,
  {
    connection,
    consent,
    reopened: { grant, read },
  }: { connection: ConnectionRow; consent: ConsentRow; reopened: NonNullable<Reopened> },
) {
  const { organizationId, id: connectionId } = connection;
  const now = ctx.clock.now();
  await upsertConsent(transaction, ctx.settings.encryptionKeys, {
    ...consent,
    token: grant.token,
    status: "AUTHORIZED",
    revokedAt: null,
    grantedScopes: grant.isLimit ? grant.scopes : null,
    grantedUntil: grant.isLimit ? grant.expiresAt : null,
    reconfirmBy: grant.reconfirmBy ?? null,
    disconnectAt: null,
  });
  // The bank may use new ids now, so everything is read and matched again.
  await setConnection(transaction, connection, { ...reactivated, cursor: null });
  const source = { organizationId, connectionId, now };
  const changed = await reconcilePermittedAccounts(ctx, transaction, source, read);
  await requestSync(ctx, transaction, connection, "CONNECT", personOf(ctx));
  return { organizationId, ...changed };
}
