import { Problem, validationFailed } from "@purser/core";
import type { Transaction } from "@purser/db";
import type { z } from "zod";
import { audit } from "@purser/platform";
import { transactAfterProviderCall } from "@purser/platform";
import type { BankingContext } from "../../context.ts";
import { reconcileAccounts } from "../../accounts/service.ts";
import { renewalLink } from "../../link/service.ts";
import type { AccountData, Grant } from "../../ports.ts";
import { callBank } from "../../call-provider.ts";
import { requestSync } from "../../syncs/service/run.ts";
import { lockForOwner } from "@purser/organizations";
import type { UpdateConsent } from "../contract.ts";
import { consentAt, isGranted, runsAtBank } from "../rules.ts";
import {
  type ConnectionRow,
  type ConsentRecord,
  findConnection,
  findNewestConsent,
  lockConnection,
  setConnection,
  setConsent,
  upsertConsent,
} from "../store.ts";

type Input = z.output<typeof UpdateConsent>;

/** What the bank said when this consent was opened again; null where it is in force. */
type Reopened = { consentId: string; grant: Grant; accounts: AccountData[] } | null;

export function updateConsent(ctx: BankingContext, input: Input) {
  return transactAfterProviderCall(
    ctx,
    input,
    () => {
      // Not before: the first answer is given again also when its date has passed meanwhile.
      refusePast(input.expiresAt, ctx.clock.now());
      return reopenIfEnded(ctx, input);
    },
    async (transaction, reopened) => {
      await lockForOwner(transaction, input.teamId, ctx.caller.userId);
      const { connection, consent } = await load(ctx, input, transaction);
      const { scopes, expiresAt } = input;
      // It was ended, or another consent has taken its place, while the bank was asked.
      const isMeant = reopened ? reopened.consentId === consent.id : isOpen(connection, consent);
      if (!isMeant) throw new Problem("UNAVAILABLE", { retryAfterSeconds: 1 });
      if (reopened) await activateConsent(ctx, transaction, { connection, consent, reopened });
      // While it was over, nothing was planned any more.
      else if (consentAt(consent, ctx.clock.now()).status === "REVOKED")
        await requestSync(ctx, transaction, connection, "MANUAL");
      const change = { status: "AUTHORIZED" as const, scopes, expiresAt, revokedAt: null };
      await setConsent(transaction, consent, { ...change, remindedDays: null });
      await audit(ctx, transaction, {
        organizationId: input.teamId,
        subject: connection.id,
        details: { consentId: consent.id, scopes, expiresAt: expiresAt.toISOString() },
      });
      return { id: consent.id, ...change };
    },
  );
}

function refusePast(expiresAt: Date, now: Date): void {
  if (expiresAt > now) return;
  throw validationFailed([{ path: ["expiresAt"], code: "custom", message: "Must be in the future" }]);
}

/** Whether a connection is in use by this consent, as far as is known here. */
function isOpen(connection: ConnectionRow, consent: ConsentRecord): boolean {
  return connection.status === "ACTIVE" && consent.status === "AUTHORIZED";
}

async function load(ctx: BankingContext, { teamId, connectionId }: Input, transaction?: Transaction) {
  const connection = transaction
    ? await lockConnection(transaction, teamId, connectionId)
    : await findConnection(ctx.db, teamId, connectionId);
  const consent = await findNewestConsent(transaction ?? ctx.db, teamId, connectionId);
  if (connection === undefined || consent === undefined) throw new Problem("CONNECTION_NOT_FOUND");
  return { connection, consent };
}

/** Opens a consent again that was revoked or has ended, where the provider can do so without the person. */
async function reopenIfEnded(ctx: BankingContext, input: Input): Promise<Reopened> {
  const { connection, consent } = await load(ctx, input);
  if (isOpen(connection, consent)) {
    if (!isGranted(consent, input)) throw await reauthorization(ctx, connection, consent);
    if (connection.needsReauthorization === null && runsAtBank(consent, ctx.clock.now())) return null;
  }
  const { organizationId, institutionId } = connection;
  const reference = { organizationId, institutionId, consentId: consent.id };
  return callBank(ctx, connection.provider, async (bank) => {
    if (bank.reopen === undefined) throw await reauthorization(ctx, connection, consent);
    const grant = await bank.reopen(reference);
    const limits = { grantedScopes: grant.scopes, grantedUntil: grant.expiresAt };
    if (grant.isLimit && !isGranted(limits, input)) throw await reauthorization(ctx, connection, consent);
    const { id: consentId } = consent;
    return { consentId, grant, accounts: await bank.accounts({ ...reference, token: grant.token }) };
  });
}

async function reauthorization(ctx: BankingContext, connection: ConnectionRow, consent: ConsentRecord) {
  const link = await renewalLink(ctx, connection, consent);
  return new Problem("REAUTHORIZATION_REQUIRED", link === null ? {} : { link });
}

async function activateConsent(
  ctx: BankingContext,
  transaction: Transaction,
  {
    connection,
    consent,
    reopened: { grant, accounts },
  }: { connection: ConnectionRow; consent: ConsentRecord; reopened: NonNullable<Reopened> },
): Promise<void> {
  const { organizationId, id: connectionId } = connection;
  const now = ctx.clock.now();
  await upsertConsent(transaction, ctx.settings.encryptionKeys, {
    ...consent,
    token: grant.token,
    status: "AUTHORIZED",
    revokedAt: null,
    grantedScopes: grant.isLimit ? grant.scopes : null,
    grantedUntil: grant.isLimit ? grant.expiresAt : null,
  });
  const change = { needsReauthorization: null, nextSyncAt: null, failures: 0, disconnectedAt: null };
  // The bank may name accounts and transactions otherwise now; everything is read and matched anew.
  await setConnection(transaction, connection, { ...change, status: "ACTIVE", cursor: null });
  await reconcileAccounts(ctx, transaction, { organizationId, connectionId, now }, accounts);
  await requestSync(ctx, transaction, connection, "CONNECT");
}
