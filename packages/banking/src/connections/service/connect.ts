import { Problem, newId } from "@purser/core";
import type { Executor, Transaction } from "@purser/db";
import { lockForOwner } from "@purser/organizations";
import { audit, keyedHashes, transactAfterProviderCall } from "@purser/platform";
import type { z } from "zod";
import { reconcileAccounts } from "../../accounts/service.ts";
import { callBank } from "../../call-provider.ts";
import type { BankingContext } from "../../context.ts";
import { findRenewedConnection } from "../../link/store.ts";
import type { AccountData, BankProvider, Grant } from "../../ports.ts";
import { requestSync } from "../../syncs/service/run.ts";
import type { Connect } from "../contract.ts";
import { consentAt, never } from "../rules.ts";
import {
  type ConnectionRow,
  type ConsentRecord,
  accessBy,
  findConnection,
  findConsent,
  findNewestConsent,
  insertConnection,
  listConsentRows,
  lockConnection,
  setConnection,
  upsertConsent,
} from "../store.ts";
import { presentConnection } from "./list.ts";

type Input = z.output<typeof Connect>;

/** The bank's response; null if the connection already works and the bank was not called. */
type Opened = { grant: Grant; accounts: AccountData[] } | null;

export function connect(ctx: BankingContext, input: Input) {
  const { settings, clock } = ctx;
  const context = ["bank consent", input.provider, input.teamId];
  const hashes = keyedHashes(settings.encryptionKeys, input.consentId, context);
  return transactAfterProviderCall(
    ctx,
    input,
    () => callBank(ctx, input.provider, (bank) => open(ctx, bank, input, hashes)),
    async (transaction, opened) => {
      await lockForOwner(transaction, input.teamId, ctx.caller.userId);
      const find = (id: string) => findConsent(transaction, input.teamId, input.provider, { id, hashes });
      const asked = await find(input.consentId);
      const before = asked && (await lockConnection(transaction, input.teamId, asked.connectionId));
      // Of several concurrent calls, the first one activates the consent.
      const isUp = before !== undefined && (await stands(ctx, transaction, before));
      const known = asked ?? (opened ? await find(opened.grant.consentId) : undefined);
      const connection =
        opened && !isUp ? await store(ctx, transaction, { input, hashes, known, ...opened }) : before;
      // The connection ended since the check above. A retry reconnects it.
      if (connection === undefined || !(opened || isUp))
        throw new Problem("UNAVAILABLE", { retryAfterSeconds: 1 });
      if (connection.institutionId !== input.providerId) throw new Problem("CONSENT_NOT_FOUND");
      const consents = await listConsentRows(transaction, input.teamId, [connection.id]);
      return presentConnection(connection, consents, clock.now());
    },
  );
}

async function open(
  ctx: BankingContext,
  bank: BankProvider,
  input: Input,
  hashes: string[],
): Promise<Opened> {
  const { teamId: organizationId, provider, providerId: institutionId, consentId } = input;
  const known = await findConsent(ctx.db, organizationId, provider, { id: consentId, hashes });
  const reference = { organizationId, institutionId, consentId: known?.id ?? consentId };
  if (known !== undefined) {
    const connection = (await findConnection(ctx.db, organizationId, known.connectionId))!;
    if (connection.institutionId !== institutionId) throw new Problem("CONSENT_NOT_FOUND");
    if (await stands(ctx, ctx.db, connection)) return null;
    const renewed = await renew(ctx, bank, connection, known);
    if (renewed) return renewed;
  }
  const grant = await bank.openConsent(reference);
  const access = { ...reference, consentId: grant.consentId, token: grant.token };
  try {
    return { grant, accounts: await bank.accounts(access) };
  } catch (error) {
    // The public token was exchanged and cannot be used again, so the new consent would be orphaned.
    if (grant.consentId !== reference.consentId) await bank.revoke(access).catch(() => undefined);
    throw error;
  }
}

/** Whether a connection works: it is active, has an authorized consent, and needs no person. */
async function stands({ clock }: BankingContext, db: Executor, connection: ConnectionRow): Promise<boolean> {
  if (connection.status !== "ACTIVE" || connection.needsReauthorization !== null) return false;
  const newest = await findNewestConsent(db, connection.organizationId, connection.id);
  return newest !== undefined && consentAt(newest, clock.now()).status === "AUTHORIZED";
}

/**
 * Renews a consent that the person confirmed at the bank, with the stored token. Returns null if the consent is not
 * authorized there, or if the bank sets no limit: then the expiry is known only from a new consent.
 */
async function renew(
  ctx: BankingContext,
  bank: BankProvider,
  connection: ConnectionRow,
  consent: ConsentRecord,
): Promise<Opened> {
  const { grantedScopes } = consent;
  if (consent.status !== "AUTHORIZED" || grantedScopes === null) return null;
  const access = accessBy(ctx.settings.encryptionKeys, connection.institutionId, consent);
  const standing = await bank.standing(access);
  if (standing.status !== "authorized") return null;
  const { institutionId, institutionName: name, institutionCountry: country } = connection;
  const grant: Grant = {
    consentId: consent.id,
    token: access.token,
    institution: { id: institutionId, name, country, logoUrl: null },
    scopes: grantedScopes,
    expiresAt: standing.expiresAt,
    isLimit: true,
  };
  return { grant, accounts: await bank.accounts(access) };
}

interface Storing {
  input: Input;
  hashes: string[];
  known: ConsentRecord | undefined;
  grant: Grant;
  accounts: AccountData[];
}

async function store(
  ctx: BankingContext,
  transaction: Transaction,
  storing: Storing,
): Promise<ConnectionRow> {
  const { input, hashes, known, grant, accounts } = storing;
  const organizationId = input.teamId;
  const now = ctx.clock.now();
  const connectionId =
    known?.connectionId ?? (await findRenewedConnection(transaction, organizationId, hashes));
  const newest =
    connectionId === undefined
      ? undefined
      : await findNewestConsent(transaction, organizationId, connectionId);
  const goesOn = newest?.id === grant.consentId;
  const connection = await activateConsent(ctx, transaction, { input, grant, connectionId, goesOn });
  const limits = { grantedScopes: grant.scopes, grantedUntil: grant.expiresAt };
  await upsertConsent(transaction, ctx.settings.encryptionKeys, {
    organizationId,
    connectionId: connection.id,
    id: grant.consentId,
    provider: input.provider,
    // The consent is found by its id in any case. A secret is found only by the hash of the latest one.
    referenceHash: known?.id === input.consentId ? known.referenceHash : hashes[0]!,
    token: grant.token,
    status: "AUTHORIZED",
    scopes: grant.scopes,
    expiresAt: grant.expiresAt ?? never,
    ...(grant.isLimit ? limits : { grantedScopes: null, grantedUntil: null }),
    revokedAt: null,
    remindedDays: null,
    // The newest consent is used, so no two consents may have the same time.
    createdAt: new Date(Math.max(now.getTime(), newest ? newest.createdAt.getTime() + 1 : 0)),
  });
  const feeding = { organizationId, connectionId: connection.id, now };
  await reconcileAccounts(ctx, transaction, feeding, accounts);
  await requestSync(ctx, transaction, connection, "CONNECT");
  await audit(ctx, transaction, {
    organizationId,
    subject: connection.id,
    details: { provider: input.provider, providerId: input.providerId, accounts: accounts.length },
  });
  return connection;
}

/** Activates the connection of this consent, or inserts a new one. The cursor is kept only for the same consent. */
async function activateConsent(
  ctx: BankingContext,
  transaction: Transaction,
  {
    input,
    grant,
    connectionId,
    goesOn,
  }: Pick<Storing, "input" | "grant"> & { connectionId: string | undefined; goesOn: boolean },
): Promise<ConnectionRow> {
  const now = ctx.clock.now();
  const { teamId: organizationId, provider, providerId: institutionId } = input;
  const before =
    connectionId === undefined ? undefined : await lockConnection(transaction, organizationId, connectionId);
  const change = {
    institutionName: grant.institution.name,
    institutionCountry: grant.institution.country,
    status: "ACTIVE" as const,
    metadata: input.metadata ?? before?.metadata ?? {},
    needsReauthorization: null,
    // The sync that is requested below plans the next one.
    nextSyncAt: null,
    failures: 0,
    disconnectedAt: null,
  };
  if (before === undefined) {
    const place = { organizationId, id: newId("bcn", now), provider, institutionId };
    const connection = { ...place, ...change, cursor: null, syncedAt: null, createdAt: now };
    await insertConnection(transaction, connection);
    return connection;
  }
  if (before.institutionId !== institutionId) throw new Problem("CONSENT_NOT_FOUND");
  // Another consent may use other ids, so everything is read and matched again.
  const cursor = goesOn && before.status === "ACTIVE" ? before.cursor : null;
  await setConnection(transaction, before, { ...change, cursor });
  return { ...before, ...change, cursor };
}
