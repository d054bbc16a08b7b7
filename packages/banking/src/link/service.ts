import { Problem, isId, newId } from "@purser/core";
import { type Platform, keyedHashes, transactAfterProviderCall, trustedRedirect } from "@purser/platform";
import type { z } from "zod";
import { callBank } from "../call-provider.ts";
import {
  type ConnectionRow,
  type ConsentRecord,
  accessBy,
  findConnection,
  findNewestConsent,
} from "../connections/store.ts";
import type { BankingContext, BankingPlatform } from "../context.ts";
import type { LinkRequest, ProviderName } from "../ports.ts";
import type { CreateLink } from "./contract.ts";
import { type LinkRow, findLink, insertLink, setLinkConsent } from "./store.ts";

type Input = z.output<typeof CreateLink>;

/** The return address if the front end names none: a small page of the server. */
const linkedPage = "/banking/linked";

export function createLink(ctx: BankingContext, input: Input) {
  const redirectUrl = trustedRedirect(ctx, input.redirectUrl, linkedPage);
  return transactAfterProviderCall(
    ctx,
    input,
    async () => openLink(ctx, await subjectOf(ctx, input), redirectUrl),
    async (transaction, { url, row }) => {
      await insertLink(transaction, ctx.settings.encryptionKeys, row);
      return { url, expiresAt: row.expiresAt };
    },
  );
}

/** A link to renew a connection's consent, for the error that asks for it; null if the provider has none. */
export async function renewalLink(
  ctx: BankingContext,
  connection: ConnectionRow,
  consent: ConsentRecord,
): Promise<string | null> {
  try {
    const subject = {
      connection,
      consent,
      provider: connection.provider,
      institutionId: connection.institutionId,
    };
    const { url, row } = await openLink(ctx, subject, `${ctx.settings.baseUrl}${linkedPage}`);
    await ctx.db.transaction((transaction) => insertLink(transaction, ctx.settings.encryptionKeys, row));
    return url;
  } catch (error) {
    // Report the error that this link belongs to, not the one that prevented the link.
    ctx.logger.warn({ reason: String(error) }, "No link to renew a consent could be made");
    return null;
  }
}

interface Subject {
  provider: ProviderName;
  institutionId: string;
  /** The connection to renew, with its newest consent. */
  connection?: ConnectionRow;
  consent?: ConsentRecord | undefined;
}

async function subjectOf(ctx: BankingContext, input: Input): Promise<Subject> {
  const { teamId, connectionId, provider = "sandbox", providerId = "" } = input;
  if (connectionId === undefined) return { provider, institutionId: providerId };
  const connection = await findConnection(ctx.db, teamId, connectionId);
  const isMeant =
    connection !== undefined &&
    (input.provider ?? connection.provider) === connection.provider &&
    (input.providerId ?? connection.institutionId) === connection.institutionId;
  if (!isMeant) throw new Problem("CONNECTION_NOT_FOUND");
  const consent = await findNewestConsent(ctx.db, teamId, connectionId);
  return { connection, consent, provider: connection.provider, institutionId: connection.institutionId };
}

async function openLink(ctx: BankingContext, subject: Subject, redirectUrl: string) {
  const { provider, institutionId, connection, consent } = subject;
  const row = {
    organizationId: ctx.organization.id,
    id: newId("lnk", ctx.clock.now()),
    provider,
    institutionId,
    userId: ctx.caller.userId,
    connectionId: connection?.id ?? null,
    redirectUrl,
    referenceHash: null,
  };
  // A revoked consent has no token and cannot be renewed: the person gives a new one.
  const access = consent && accessBy(ctx.settings.encryptionKeys, institutionId, consent);
  const renews = consent?.status === "AUTHORIZED" && access ? access : null;
  const link = await callBank(ctx, provider, async (bank) => {
    await bank.institution(institutionId);
    return bank.createLink({ ...requestOf(ctx, row), renews });
  });
  return { url: link.url, row: { ...row, state: link.state, expiresAt: link.expiresAt } };
}

function requestOf(
  { settings }: Pick<Platform, "settings">,
  row: Omit<LinkRow, "state" | "expiresAt">,
): LinkRequest {
  const { id: linkId, organizationId, userId, institutionId } = row;
  const returnUrl = `${settings.baseUrl}/banking/links/${linkId}/return`;
  return { linkId, organizationId, userId, institutionId, returnUrl, renews: null };
}

/**
 * Completes a link when the person returns from the bank. Returns the address of the front end to redirect to, with the
 * values that connecting needs, or with `error=access_denied` if the person refused. Throws LINK_NOT_FOUND.
 */
export async function completeLink(
  platform: BankingPlatform,
  id: string,
  query: URLSearchParams,
): Promise<string> {
  const keys = platform.settings.encryptionKeys;
  // A guessed id may contain characters that PostgreSQL refuses.
  const link = isId("lnk", id) ? await findLink(platform.db, keys, id) : undefined;
  if (link === undefined || link.expiresAt <= platform.clock.now()) throw new Problem("LINK_NOT_FOUND");
  const { organizationId: teamId, provider, institutionId: providerId } = link;
  const target = new URL(link.redirectUrl);
  try {
    const consentId = await callBank(platform, provider, (bank) =>
      bank.completeLink(requestOf(platform, link), link.state, query),
    );
    const [hash = ""] = keyedHashes(keys, consentId, ["bank consent", provider, teamId]);
    await setLinkConsent(platform.db, link, hash);
    for (const [name, value] of Object.entries({ teamId, provider, providerId, consentId }))
      target.searchParams.set(name, value);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "CONSENT_NOT_FOUND") throw error;
    target.searchParams.set("error", "access_denied");
  }
  return target.href;
}
