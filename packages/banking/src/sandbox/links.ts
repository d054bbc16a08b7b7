import { addMs, dayMs } from "@purser/core";
import type { Executor, Transaction } from "@purser/db";
import { findOrganization } from "@purser/organizations";
import type { Platform } from "@purser/platform";
import { sandboxConsentId } from "../contract.ts";
import { BankError, type HostedLink, type LinkRequest, type LinkResult } from "../ports.ts";
import { type AccountPlan, accountPlansOf } from "./accounts.ts";
import { newHostedConsentId } from "./consents.ts";
import { type SandboxInstitution, findInstitution } from "./institutions.ts";
import { openCustomer } from "./ledger-updates.ts";
import { findSandboxConsent, insertSandboxConsent } from "./store/consents.ts";
import {
  type SandboxLinkRow,
  setLinkResult,
  findSandboxLink,
  insertSandboxLink,
  isConsentOfLink,
  lockOpenLink,
} from "./store/links.ts";

type LinkParts = Pick<Platform, "db" | "clock" | "settings">;

const linkLifetimeMs = 30 * 60 * 1000;

/** See `BankProvider.createLink`. The page is one of ours. */
export async function createSandboxLink(
  { db, clock, settings }: LinkParts,
  { linkId, organizationId, institutionId, returnUrl, renews }: LinkRequest,
): Promise<HostedLink> {
  if (institutionId === null) {
    throw new BankError("not_supported", "A link of the sandbox is to one institution");
  }
  findInstitution(institutionId);
  if (!/^https?:$/.test(new URL(returnUrl).protocol))
    throw new Error("The return address must be http or https");
  const renewed = renews && (await findSandboxConsent(db, organizationId, renews.consentId));
  const expiresAt = addMs(clock.now(), linkLifetimeMs);
  await insertSandboxLink(db, {
    organizationId,
    id: linkId,
    institutionId,
    customerName: renewed?.customer.institutionId === institutionId ? renewed.customer.name : null,
    returnUrl,
    status: "OPEN",
    consentId: null,
    expiresAt,
  });
  // The sandbox stores everything that is needed to complete the link.
  return { url: `${settings.baseUrl}/sandbox/bank/${linkId}`, expiresAt, state: linkId };
}

/** See `BankProvider.completeLink`. Accepts only the consent that this link produced. */
export async function completeSandboxLink(
  { db }: LinkParts,
  { linkId, organizationId, institutionId }: LinkRequest,
  query: URLSearchParams,
): Promise<LinkResult> {
  const consentId = query.get("consent") ?? "";
  // A browser may send characters that PostgreSQL rejects.
  const mayBe = sandboxConsentId.test(consentId);
  const isGiven = mayBe && (await isConsentOfLink(db, { organizationId, id: linkId, consentId }));
  if (!isGiven || institutionId === null)
    throw new BankError("consent_not_found", "The link returned no such consent");
  return { consentId, institutionId };
}

/** The content of the consent page. */
export interface ConsentPage {
  institution: SandboxInstitution;
  /** The name of the team that requests the consent. */
  team: string;
  /** The customer who has to sign in; null for any customer. */
  customerName: string | null;
  accounts: AccountPlan[];
}

/** The user's choice on the consent page. */
export interface ConsentChoice {
  customerName: string;
  accounts: number[];
  /** Scopes beyond accounts and balances, which are always granted. */
  transactions: boolean;
  days: number;
}

/** The consent page of a link; null if the link is unknown, answered or expired. */
export async function openConsentPage({ db, clock }: LinkParts, linkId: string): Promise<ConsentPage | null> {
  const found = await findTeamLink(db, linkId);
  if (found === undefined || !isOpen(found.link, clock.now())) return null;
  const institution = findInstitution(found.link.institutionId);
  const { customerName } = found.link;
  return { institution, team: found.team, customerName, accounts: accountPlansOf(institution) };
}

/** Finds a link with the name of its team, unless the team is deleted. */
async function findTeamLink(db: Executor, linkId: string) {
  const link = await findSandboxLink(db, linkId);
  const organization = link && (await findOrganization(db, link.organizationId));
  return organization && { link, team: organization.name };
}

/** Grants the consent. Returns the address to redirect to; null if the link is answered or expired. */
export function approveLink(parts: LinkParts, linkId: string, choice: ConsentChoice): Promise<string | null> {
  return resolveOpenLink(parts, linkId, async (transaction, link) => {
    const consentId = await giveConsent(parts, transaction, link, choice);
    await setLinkResult(transaction, link, { status: "APPROVED", consentId });
    return withQuery(link.returnUrl, "consent", consentId);
  });
}

/** Refuses the consent. Returns the address to redirect to; null if the link is answered or expired. */
export function refuseLink(parts: LinkParts, linkId: string): Promise<string | null> {
  return resolveOpenLink(parts, linkId, async (transaction, link) => {
    await setLinkResult(transaction, link, { status: "REFUSED", consentId: null });
    return withQuery(link.returnUrl, "error", "access_denied");
  });
}

async function resolveOpenLink(
  { db, clock }: LinkParts,
  linkId: string,
  give: (transaction: Transaction, link: SandboxLinkRow) => Promise<string>,
): Promise<string | null> {
  const found = await findTeamLink(db, linkId);
  if (found === undefined) return null;
  return db.transaction(async (transaction) => {
    const link = await lockOpenLink(transaction, found.link);
    return link !== undefined && isOpen(link, clock.now()) ? give(transaction, link) : null;
  });
}

async function giveConsent(
  { clock, settings }: LinkParts,
  transaction: Transaction,
  link: SandboxLinkRow,
  { customerName, accounts, transactions, days }: ConsentChoice,
): Promise<string> {
  const { organizationId, institutionId } = link;
  const now = clock.now();
  const institution = findInstitution(institutionId);
  // A renewed consent covers the same accounts, so the form's choice is ignored.
  const name = link.customerName ?? customerName;
  const customer = await openCustomer(transaction, { organizationId, institution, name, now });
  const id = newHostedConsentId({ settings });
  await insertSandboxConsent(transaction, {
    organizationId,
    id,
    customerId: customer.id,
    hosted: true,
    status: "AUTHORIZED",
    scopes: ["accounts", "balances", ...(transactions ? ["transactions"] : [])],
    accounts,
    days,
    expiresAt: addMs(now, days * dayMs),
    createdAt: now,
  });
  return id;
}

const isOpen = ({ status, expiresAt }: SandboxLinkRow, now: Date) => status === "OPEN" && expiresAt > now;

function withQuery(address: string, name: string, value: string): string {
  const url = new URL(address);
  url.searchParams.set(name, value);
  return url.href;
}
