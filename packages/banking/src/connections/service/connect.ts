import { Problem } from "@purser/core";
import type { Executor, Transaction } from "@purser/db";
import { lockForOwnerUser } from "@purser/organizations";
import {
  type Act,
  actOf,
  changeOrganization,
  keyedHashes,
  transactAfterProviderCall,
  userOf,
} from "@purser/platform";
import type { z } from "zod";
import { fetchPermittedAccounts } from "../../accounts/service/permitted.ts";
import { callBank, findBank } from "../../call-provider.ts";
import type { BankingContext, BankingPlatform } from "../../context.ts";
import { type PresentPerson, personOf } from "../../person.ts";
import { exchangeOnce } from "../../exchanges/service.ts";
import type { BankProvider, Grant } from "../../ports.ts";
import type { Connect } from "../contract.ts";
import { consentAt, isRenewedBy, withheldScopes } from "../rules.ts";
import {
  type ConnectionRow,
  type ConsentRow,
  accessBy,
  findConnection,
  findConsent,
  findNewestConsent,
  listConsentRows,
  lockConnection,
} from "../store.ts";
import { type Activation, type ConnectInput, activateGrant } from "./activate.ts";
import { withConsentLock } from "./consent-lock.ts";
import { toBankConnection } from "./list.ts";

/** The bank's response; null if the connection already works and the bank was not called. */
type Opened = Pick<Activation, "grant" | "read" | "isExchanged"> | null;

/**
 * Asks the bank whether the consent is this team's, stores connection, tokens and accounts, and requests the first sync. A
 * repeated call with a consent that works returns its connection, without a call to the bank.
 */
export function connectBank(ctx: BankingContext, input: z.output<typeof Connect>) {
  const person = personOf(ctx);
  return transactAfterProviderCall(
    ctx,
    input.teamId,
    input,
    () => callBank(ctx, input.provider, (bank) => openConsentAtBank(ctx, bank, input, person)),
    async (transaction, opened) => {
      const owner = { userId: userOf(ctx.caller).userId, act: actOf(ctx), person };
      const connection = await connectOpened(ctx, transaction, owner, input, opened);
      const consents = await listConsentRows(transaction, input.teamId, [connection.id]);
      return toBankConnection(connection, consents, ctx.clock.now());
    },
    { within: (connect) => whileNotRevoked(ctx, input, connect) },
  );
}

/** Connects a consent for an owner who finished a link, without a request of the front end. */
export async function connectInBackground(
  platform: BankingPlatform,
  owner: Owner,
  input: ConnectInput,
): Promise<void> {
  await whileNotRevoked(platform, input, async () => {
    const opened = await callBank(platform, input.provider, (bank) =>
      openConsentAtBank(platform, bank, input, owner.person),
    );
    await changeOrganization(platform, input.teamId, (transaction) =>
      connectOpened(platform, transaction, owner, input, opened),
    );
  });
}

/**
 * Connects a consent while no job revokes it. A consent has such a job if it was connected before, or if it came with a link
 * that expired.
 */
async function whileNotRevoked<Result>(
  platform: BankingPlatform,
  input: ConnectInput,
  connect: () => Promise<Result>,
): Promise<Result> {
  const { teamId: organizationId, provider, consentId: id } = input;
  const hashes = referenceHashes(platform, input);
  const known = await findConsent(platform.db, organizationId, provider, { id, hashes });
  const mayComeWithLink = (await findBank(platform, provider))?.consentOfLink !== undefined;
  if (known === undefined && !mayComeWithLink) return connect();
  return withConsentLock(platform, { organizationId, provider, consentId: known?.id ?? id }, connect);
}

interface Owner {
  userId: string;
  /** Who connects, in the audit trail. */
  act: Act;
  /** The owner, if present. */
  person?: PresentPerson | undefined;
}

async function connectOpened(
  platform: BankingPlatform,
  transaction: Transaction,
  { userId, act, person }: Owner,
  input: ConnectInput,
  opened: Opened,
): Promise<ConnectionRow> {
  await lockForOwnerUser(transaction, input.teamId, userId);
  const hashes = referenceHashes(platform, input);
  const find = (id: string) => findConsent(transaction, input.teamId, input.provider, { id, hashes });
  const referenced = await find(input.consentId);
  const current = referenced && (await lockConnection(transaction, input.teamId, referenced.connectionId));
  // Of several concurrent calls, the first one activates the consent.
  const isUsable = current !== undefined && (await isConnectionUsable(platform, transaction, current));
  const known = referenced ?? (opened ? await find(opened.grant.consentId) : undefined);
  const connection =
    opened && !isUsable
      ? await activateGrant(platform, transaction, { act, person, input, hashes, known, ...opened })
      : current;
  // The connection ended since the check above. A retry reconnects it.
  if (connection === undefined || !(opened || isUsable))
    throw new Problem("UNAVAILABLE", { retryAfterSeconds: 1 });
  if (connection.institutionId !== input.providerId) throw new Problem("CONSENT_NOT_FOUND");
  return connection;
}

/** The keyed hashes of the consent id that the caller passed. It may be a single-use secret. */
export function referenceHashes(
  { settings }: Pick<BankingPlatform, "settings">,
  { teamId, provider, consentId }: Pick<ConnectInput, "teamId" | "provider" | "consentId">,
): string[] {
  return keyedHashes(settings.encryptionKeys, consentId, ["bank consent", provider, teamId]);
}

/** Opens the consent at its bank. A failure leaves nothing that a retry cannot continue. */
async function openConsentAtBank(
  platform: BankingPlatform,
  bank: BankProvider,
  input: ConnectInput,
  person?: PresentPerson,
): Promise<Opened> {
  const { teamId: organizationId, provider, providerId: institutionId, consentId } = input;
  const hashes = referenceHashes(platform, input);
  const known = await findConsent(platform.db, organizationId, provider, { id: consentId, hashes });
  const reference = { organizationId, institutionId, consentId: known?.id ?? consentId };
  if (known !== undefined) {
    const connection = (await findConnection(platform.db, organizationId, known.connectionId))!;
    if (connection.institutionId !== institutionId) throw new Problem("CONSENT_NOT_FOUND");
    if (await isConnectionUsable(platform, platform.db, connection)) return null;
    const renewed = await renewConsentAtBank(platform, bank, connection, known, person);
    if (renewed) return renewed;
  }
  const exchanged = await exchangeOnce(platform, bank, { ...reference, provider, hashes });
  const consent = { ...reference, consentId: exchanged?.consentId ?? reference.consentId };
  const grant = await bank.openConsent(consent, exchanged?.token);
  const { consentId: id, token } = grant;
  const access = { ...reference, consentId: id, token, personAddress: person?.address };
  const renewed = known ?? (await findConsent(platform.db, organizationId, provider, { id, hashes }));
  const withheld = isRenewedBy(renewed, grant) ? withheldScopes(renewed) : new Set<string>();
  const read = await fetchPermittedAccounts(bank, access, withheld);
  return { grant, read, isExchanged: exchanged !== null };
}

/** Whether a connection works: it is active, has an authorized consent, and does not require the user. */
async function isConnectionUsable(
  { clock }: BankingPlatform,
  db: Executor,
  connection: ConnectionRow,
): Promise<boolean> {
  if (connection.status !== "ACTIVE" || connection.needsReauthorization !== null) return false;
  const newest = await findNewestConsent(db, connection.organizationId, connection.id);
  return newest !== undefined && consentAt(newest, clock.now()).status === "AUTHORIZED";
}

/**
 * Renews a consent that the person confirmed at the bank, with the stored token. Returns null if the consent is not
 * authorized there, or if the bank sets no limit: then the expiry is known only from a new consent.
 */
async function renewConsentAtBank(
  platform: BankingPlatform,
  bank: BankProvider,
  connection: ConnectionRow,
  consent: ConsentRow,
  person: PresentPerson | undefined,
): Promise<Opened> {
  const { grantedScopes } = consent;
  if (consent.status !== "AUTHORIZED" || grantedScopes === null) return null;
  const access = {
    ...accessBy(platform.settings.encryptionKeys, connection.institutionId, consent),
    personAddress: person?.address,
  };
  const consentStatus = await bank.consentStatus(access);
  if (consentStatus.status !== "authorized") return null;
  const { institutionId, institutionName: name, institutionCountry: country } = connection;
  const grant: Grant = {
    consentId: consent.id,
    token: access.token,
    institution: { id: institutionId, name, country, logoUrl: null },
    scopes: grantedScopes,
    expiresAt: consentStatus.expiresAt,
    reconfirmBy: consentStatus.reconfirmBy ?? null,
    isLimit: true,
  };
  const read = await fetchPermittedAccounts(bank, access, withheldScopes(consent));
  return { grant, read, isExchanged: false };
}
