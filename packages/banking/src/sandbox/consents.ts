import { createHmac, randomBytes } from "node:crypto";
import { addMs, dayMs, usualConsentScopes } from "@purser/core";
import { sandboxConsentId } from "../contract.ts";
import {
  type AuthorizedConsent,
  BankError,
  type ConsentReference,
  type ConsentStatus,
  type Grant,
} from "../ports.ts";
import { type SandboxInstitution, findInstitution, toInstitution } from "./institutions.ts";
import { openCustomer } from "./ledger-updates.ts";
import { type BankParts, consentStatusAt, otherInstitution, simulateFaults, tokenOf } from "./session.ts";
import {
  type SandboxConsentRow,
  type FoundConsent,
  findSandboxConsent,
  insertSandboxConsent,
  updateSandboxConsent,
} from "./store/consents.ts";

/** The scopes and duration of a consent whose id the caller made up. */
const unhostedGrant = { scopes: [...usualConsentScopes], days: 90 };

/** Consent ids that always fail, with the error in their name. */
const failures: ReadonlyMap<string, () => BankError> = new Map([
  ["fail-revoked", () => new BankError("reauthorization_required", "The consent is revoked")],
  ["fail-expired", () => new BankError("reauthorization_required", "The consent has expired")],
  ["fail-outage", () => new BankError("outage", "The bank is down")],
  ["fail-foreign", () => new BankError("consent_not_found", "The consent belongs to another team")],
]);

/** See `BankProvider.openConsent`. An id that the caller made up creates its consent, and opens it again later. */
export async function openConsent(parts: BankParts, reference: ConsentReference): Promise<Grant> {
  const { organizationId, institutionId, consentId } = reference;
  if (!sandboxConsentId.test(consentId)) {
    throw new BankError(
      "invalid_consent_id",
      "A consent id of the sandbox has only letters, digits, - and _",
    );
  }
  const failure = failures.get(consentId);
  if (failure !== undefined) throw failure();
  const institution = findInstitution(institutionId);
  if ((await findSandboxConsent(parts.db, organizationId, consentId)) === undefined) {
    if (isHostedConsentId(parts, consentId)) throw unknownConsent();
    await createUnhostedConsent(parts, institution, reference);
  }
  const found = await load(parts, reference);
  const now = parts.clock.now();
  const isInForce = consentStatusAt(found.consent, now) === "authorized" && endOf(found.consent) > now;
  if (isInForce) return grantOf(parts, institution, found.consent);
  if (found.consent.hosted) throw new BankError("reauthorization_required", "The consent has ended");
  return renew(parts, institution, found.consent);
}

/**
 * Creates the id of a consent from the consent page. Its MAC tells it apart from any id that a caller makes up: such a consent
 * is bound to its team, so `openConsent` refuses its id to another team, and creates a consent for every other unknown id.
 */
export function newHostedConsentId(parts: Pick<BankParts, "settings">): string {
  const random = randomBytes(16).toString("hex");
  return `consent-${random}${macOf(parts, random)}`;
}

function isHostedConsentId(parts: Pick<BankParts, "settings">, consentId: string): boolean {
  const [, random, mac] = /^consent-([0-9a-f]{32})([0-9a-f]{32})$/.exec(consentId) ?? [];
  return random !== undefined && mac === macOf(parts, random);
}

function macOf({ settings }: Pick<BankParts, "settings">, random: string): string {
  const mac = createHmac("sha256", settings.authSecret).update(`sandbox bank consent\n${random}`);
  return mac.digest("hex").slice(0, 32);
}

/** See `BankProvider.reopen`. */
export async function reopenConsent(parts: BankParts, reference: ConsentReference): Promise<Grant> {
  const { consent } = await load(parts, reference);
  return renew(parts, findInstitution(reference.institutionId), consent);
}

export async function revokeSandboxConsent(parts: BankParts, reference: ConsentReference): Promise<void> {
  const found = await findSandboxConsent(parts.db, reference.organizationId, reference.consentId);
  if (found === undefined) return;
  await simulateFaults(parts, found);
  await updateSandboxConsent(parts.db, found.consent, { status: "REVOKED" });
}

/** See `BankProvider.reconfirm`. The next confirmation is due after 90 days, as in the United Kingdom. */
export async function extendConsent(
  parts: BankParts,
  reference: ConsentReference,
  confirmedAt: Date,
): Promise<AuthorizedConsent> {
  const { consent } = await load(parts, reference);
  const status = consentStatusAt(consent, parts.clock.now());
  if (status !== "authorized") throw new BankError("reauthorization_required", "The consent has ended");
  const reconfirmBy = addMs(confirmedAt, 90 * dayMs);
  return { status, expiresAt: consent.expiresAt, reconfirmBy };
}

export async function readSandboxConsentStatus(
  parts: BankParts,
  reference: ConsentReference,
): Promise<ConsentStatus> {
  const { consent } = await load(parts, reference);
  const status = consentStatusAt(consent, parts.clock.now());
  return status === "authorized" ? { status, expiresAt: consent.expiresAt } : { status };
}

async function load(parts: BankParts, reference: ConsentReference): Promise<FoundConsent> {
  const found = await findSandboxConsent(parts.db, reference.organizationId, reference.consentId);
  if (found === undefined) throw unknownConsent();
  if (found.customer.institutionId !== reference.institutionId) throw otherInstitution();
  await simulateFaults(parts, found);
  return found;
}

/** The consent id identifies the customer at the bank. */
async function createUnhostedConsent(
  { db, clock }: BankParts,
  institution: SandboxInstitution,
  { organizationId, consentId }: ConsentReference,
): Promise<void> {
  const now = clock.now();
  await db.transaction(async (transaction) => {
    const customer = await openCustomer(transaction, { organizationId, institution, name: consentId, now });
    await insertSandboxConsent(transaction, {
      organizationId,
      id: consentId,
      customerId: customer.id,
      hosted: false,
      status: "AUTHORIZED",
      ...unhostedGrant,
      accounts: null,
      // Only the team limits how long it uses such a consent, so the bank sets no expiry.
      expiresAt: null,
      createdAt: now,
    });
  });
}

async function renew(
  parts: BankParts,
  institution: SandboxInstitution,
  consent: SandboxConsentRow,
): Promise<Grant> {
  const now = parts.clock.now();
  const renewed: SandboxConsentRow = {
    ...consent,
    status: "AUTHORIZED",
    createdAt: now,
    expiresAt: consent.hosted ? endOf({ ...consent, expiresAt: null, createdAt: now }) : null,
  };
  await updateSandboxConsent(parts.db, consent, renewed);
  return grantOf(parts, institution, renewed);
}

function grantOf(parts: BankParts, institution: SandboxInstitution, consent: SandboxConsentRow): Grant {
  return {
    consentId: consent.id,
    token: tokenOf(parts, consent),
    institution: toInstitution(institution),
    scopes: consent.scopes,
    expiresAt: endOf(consent),
    isLimit: consent.hosted,
  };
}

/** When a consent expires: at the bank or, if the bank sets no expiry, after its duration in days. */
function endOf({
  expiresAt,
  createdAt,
  days,
}: Pick<SandboxConsentRow, "expiresAt" | "createdAt" | "days">): Date {
  return expiresAt ?? addMs(createdAt, days * dayMs);
}

const unknownConsent = () => new BankError("consent_not_found", "This team has no such consent");
