import { Problem, errorText, isId, newId, invalidField } from "@purser/core";
import { lockForOwner } from "@purser/organizations";
import {
  type Platform,
  changeOrganization,
  consumeAttempt,
  transactAfterProviderCall,
  trustedRedirect,
  userOf,
} from "@purser/platform";
import type { z } from "zod";
import { bankErrorKind, callBank } from "../../call-provider.ts";
import type { ConnectInput } from "../../connections/service/activate.ts";
import { connectInBackground, referenceHashes } from "../../connections/service/connect.ts";
import { refuseSync } from "../../connections/rules.ts";
import {
  type ConnectionRow,
  type ConsentRow,
  accessToEndOrRenew,
  findConnection,
  findNewestConsent,
  lockConnection,
  setConsent,
} from "../../connections/store.ts";
import type { BankingContext, BankingPlatform } from "../../context.ts";
import { type PresentPerson, personAt } from "../../person.ts";
import type { Access, BankErrorKind, LinkRequest, ProviderName } from "../../ports.ts";
import { requestSync } from "../../syncs/service/run.ts";
import type { CreateLink } from "../contract.ts";
import {
  type LinkRow,
  findLink,
  findRenewalOf,
  insertLink,
  linkStateHashes,
  setLinkConsent,
  setLinkFinished,
} from "../store.ts";

type Input = z.output<typeof CreateLink>;

/** How the audit trail names the connection of a finished link in the background. */
export const finishedLinksAct = { actor: null, action: "banking.finishedLinks" };

/** The return address if the front end names none: a small page of the server. */
const linkedPage = "/banking/linked";

/**
 * Makes a page at the provider that returns the person to `redirectUrl`, which must be on a trusted origin. The link is stored
 * with its team, so its consent connects no other.
 */
export function createLink(ctx: BankingContext, input: Input) {
  const redirectUrl = trustedRedirect(ctx, input.redirectUrl, linkedPage);
  return transactAfterProviderCall(
    ctx,
    input.teamId,
    input,
    async () => openLink(ctx, await subjectOf(ctx, input), redirectUrl),
    async (transaction, { url, row }) => {
      await lockForOwner(ctx, transaction, input.teamId);
      await insertLink(transaction, ctx.settings.encryptionKeys, row);
      return { url, expiresAt: row.expiresAt };
    },
  );
}

/** A link to renew a connection's consent, for the error that asks for it; null if the provider has none. */
export async function renewalLink(
  ctx: BankingContext,
  connection: ConnectionRow,
  consent: ConsentRow,
): Promise<string | null> {
  try {
    const subject = {
      connection,
      consent,
      provider: connection.provider,
      institutionId: connection.institutionId,
    };
    const { url, row } = await openLink(ctx, subject, `${ctx.settings.baseUrl}${linkedPage}`);
    await changeOrganization(ctx, row.organizationId, (transaction) =>
      insertLink(transaction, ctx.settings.encryptionKeys, row),
    );
    return url;
  } catch (error) {
    // Report the error that this link belongs to, not the one that prevented the link.
    ctx.logger.warn({ reason: String(error) }, "No link to renew a consent could be made");
    return null;
  }
}

interface Subject {
  provider: ProviderName;
  /** Null if the person chooses it at the provider. */
  institutionId: string | null;
  /** The connection to renew, with its newest consent. */
  connection?: ConnectionRow;
  consent?: ConsentRow | undefined;
}

async function subjectOf(ctx: BankingContext, input: Input): Promise<Subject> {
  const { teamId, connectionId, providerId = null } = input;
  if (connectionId === undefined)
    return { provider: input.provider ?? defaultProvider(ctx), institutionId: providerId };
  const connection = await findConnection(ctx.db, teamId, connectionId);
  const isMeant =
    connection !== undefined &&
    (input.provider ?? connection.provider) === connection.provider &&
    (input.providerId ?? connection.institutionId) === connection.institutionId;
  if (!isMeant) throw new Problem("CONNECTION_NOT_FOUND");
  const consent = await findNewestConsent(ctx.db, teamId, connectionId);
  return { connection, consent, provider: connection.provider, institutionId: connection.institutionId };
}

/** The sandbox where it is on, otherwise the only provider that is configured. */
function defaultProvider({ banks: { configured } }: BankingContext): ProviderName {
  const [first] = configured;
  if (first === undefined) throw new Problem("PROVIDER_NOT_CONFIGURED");
  return configured.includes("sandbox") ? "sandbox" : first;
}

/** Throws VALIDATION_FAILED for a link without a provider, unless there is a connection's or a default one. */
export function checkProvider(
  { banks: { configured } }: Pick<BankingContext, "banks">,
  { provider, connectionId }: Input,
): void {
  const hasDefault = configured.length < 2 || configured.includes("sandbox");
  if (provider !== undefined || connectionId !== undefined || hasDefault) return;
  const message = `Name the provider: ${configured.join(" or ")}`;
  throw invalidField("provider", message);
}

async function openLink(ctx: BankingContext, subject: Subject, redirectUrl: string) {
  const { provider, institutionId, connection, consent } = subject;
  const row = {
    organizationId: ctx.organization.id,
    id: newId("lnk", ctx.clock.now()),
    provider,
    institutionId,
    userId: userOf(ctx.caller).userId,
    connectionId: connection?.id ?? null,
    redirectUrl,
    finishedAt: null,
    referenceHash: null,
  };
  const renews = connection && consent ? renewable(ctx, connection, consent) : null;
  const link = await callBank(ctx, provider, async (bank) => {
    // The provider may no longer name the institution of a connection, which does not prevent a renewal or another link.
    if (institutionId !== null && connection === undefined) await bank.institution(institutionId);
    return bank.createLink({ ...requestOf(ctx, row), renews });
  });
  const [stateHash = ""] = linkStateHashes(ctx.settings.encryptionKeys, provider, link.state);
  return { url: link.url, row: { ...row, state: link.state, stateHash, expiresAt: link.expiresAt } };
}

/** A revoked consent has no token and cannot be renewed: the person gives a new one. */
function renewable(
  { settings }: Pick<Platform, "settings">,
  { institutionId }: ConnectionRow,
  consent: ConsentRow,
): Access | null {
  if (consent.status !== "AUTHORIZED") return null;
  return accessToEndOrRenew(settings.encryptionKeys, institutionId, consent);
}

function requestOf(
  { settings }: Pick<Platform, "settings">,
  row: Pick<LinkRow, "id" | "organizationId" | "userId" | "institutionId" | "connectionId">,
): LinkRequest {
  const { id: linkId, organizationId, userId, institutionId } = row;
  const continuesConnection = row.connectionId !== null;
  const returnUrl = `${settings.baseUrl}/banking/links/${linkId}/return`;
  return { linkId, organizationId, userId, institutionId, returnUrl, continuesConnection, renews: null };
}

/** The address needs no sign-in, and reloading it must not use up the provider's rate limit. */
const returnLimit = { limit: 10, windowSeconds: 60 };

/** The `error` of the address of the front end, by the kind of the bank's. Every other one means that the person refused. */
const returnErrors: Partial<Record<BankErrorKind, string>> = {
  authorization_pending: "authorization_pending",
  authorization_failed: "server_error",
};

/**
 * Completes a link when the person returns from the bank. Returns the address of the front end to redirect to, with the
 * values that connecting needs, or with an `error`: `access_denied`, `server_error`, or `authorization_pending`, after which
 * the consent is connected in the background once it is in force. Throws LINK_NOT_FOUND and RATE_LIMITED.
 * `personAddress` is the network address of the person, for whom a renewed consent is read at once.
 */
export async function completeLink(
  platform: BankingPlatform,
  id: string,
  query: URLSearchParams,
  personAddress?: string,
): Promise<string> {
  const link = await findOpenLink(platform, id);
  if (link === undefined) throw new Problem("LINK_NOT_FOUND");
  await consumeAttempt(platform, `link-return:${link.id}`, returnLimit);
  const target = new URL(link.redirectUrl);
  try {
    const { result, renewed } = await finishLink(platform, link, query);
    for (const [name, value] of Object.entries(result)) target.searchParams.set(name, value);
    const person = personAt(personAddress, platform.clock.now());
    // The front end can connect the consent by itself.
    if (renewed)
      await continueRenewed(platform, link, renewed, result, person).catch((error: unknown) =>
        platform.logger.warn({ linkId: id, reason: errorText(error) }, "A renewed consent does not continue"),
      );
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "CONSENT_NOT_FOUND") throw error;
    const kind = bankErrorKind(error);
    if (kind === "authorization_pending") await setFinished(platform, link);
    target.searchParams.set("error", (kind && returnErrors[kind]) ?? "access_denied");
  }
  return target.href;
}

async function setFinished({ db, clock, settings }: BankingPlatform, link: LinkRow): Promise<void> {
  const hashes = linkStateHashes(settings.encryptionKeys, link.provider, link.state);
  await setLinkFinished(db, link.provider, hashes, clock.now());
}

/** Finds the link at whose address a person returned; if it has expired, the renewal of its consent. */
async function findOpenLink(
  { db, clock, settings: { encryptionKeys: keys } }: BankingPlatform,
  id: string,
): Promise<LinkRow | undefined> {
  // A guessed id may contain characters that PostgreSQL refuses.
  const link = isId("lnk", id) ? await findLink(db, keys, id) : undefined;
  const now = clock.now();
  return link === undefined || link.expiresAt > now ? link : findRenewalOf(db, keys, link, now);
}

/** A connection whose consent a person renewed in place, as both were before. */
interface Renewed {
  connection: ConnectionRow;
  consent: ConsentRow;
}

/**
 * Reads the consent of a finished link from its provider, and stores that the link resulted in it. Returns what connecting
 * needs, and the connection if the consent is its own, renewed in place. `query` is null for a link that is finished: the
 * provider said so, or the person has shown at an earlier return that the consent is theirs.
 */
export async function finishLink(
  platform: BankingPlatform,
  link: LinkRow,
  query: URLSearchParams | null,
): Promise<{ result: ConnectInput; renewed: Renewed | null }> {
  const { organizationId: teamId, provider, connectionId } = link;
  const connection = connectionId ? await findConnection(platform.db, teamId, connectionId) : undefined;
  const consent = connection && (await findNewestConsent(platform.db, teamId, connection.id));
  const renews = connection && consent ? renewable(platform, connection, consent) : null;
  const { consentId, institutionId: providerId } = await callBank(platform, provider, async (bank) => {
    const { institutionId } = link;
    if (query === null && bank.consentOfLink !== undefined && institutionId !== null)
      return { consentId: bank.consentOfLink(link.state), institutionId };
    const request = { ...requestOf(platform, link), renews };
    return bank.completeLink(request, link.state, query ?? new URLSearchParams());
  });
  const [hash = ""] = referenceHashes(platform, { teamId, provider, consentId });
  await setLinkConsent(platform.db, link, hash);
  const renewed = connection && consent?.id === consentId ? { connection, consent } : null;
  return { result: { teamId, provider, providerId, consentId }, renewed };
}

/**
 * Continues with a consent that was renewed in place, which ends the provider's warning. The sync reads the new expiry and
 * clears the need of the user. No sync asks the bank about an expired consent, so that one is connected again.
 */
export async function continueRenewed(
  platform: BankingPlatform,
  { userId }: LinkRow,
  { connection, consent }: Renewed,
  result: ConnectInput,
  person?: PresentPerson,
): Promise<void> {
  if (refuseSync(connection, consent, platform.clock.now()) === "CONSENT_EXPIRED")
    return connectInBackground(platform, { userId, act: finishedLinksAct, person }, result);
  const { organizationId, connectionId: id } = consent;
  await changeOrganization(platform, organizationId, async (transaction) => {
    await lockConnection(transaction, organizationId, id);
    await setConsent(transaction, consent, { disconnectAt: null, remindedDays: null });
    await requestSync(platform, transaction, { organizationId, id }, "CONNECT", person);
  });
}
