import { BankError, type ConsentReference, type ConsentStatus, type Grant } from "../ports.ts";
import { type SandboxInstitution, findInstitution, publicFacts } from "./institutions.ts";
import { openCustomer } from "./ledger-updates.ts";
import { type BankParts, consentStatusAt, otherInstitution, simulateFaults, tokenOf } from "./session.ts";
import {
  type ConsentRow,
  type FoundConsent,
  findConsent,
  insertConsent,
  updateConsent,
} from "./store/consents.ts";

/** The scopes and duration of a consent whose id the caller made up. */
const freely = { scopes: ["accounts", "balances", "transactions"], days: 90 };

const dayMilliseconds = 24 * 60 * 60 * 1000;

/** The format of ids from the consent page. Callers cannot use such an id before the page has issued it. */
export const hostedForm = /^consent-[0-9a-f]{32}$/;

/** Consent ids that always fail, with the error in their name. */
const failures: Readonly<Record<string, () => BankError>> = {
  "fail-revoked": () => new BankError("reauthorization_required", "The consent is revoked"),
  "fail-expired": () => new BankError("reauthorization_required", "The consent has expired"),
  "fail-outage": () => new BankError("outage", "The bank is down"),
  "fail-foreign": () => new BankError("consent_not_found", "The consent was given to another team"),
};

/** See `BankProvider.openConsent`. An id that the caller made up creates its consent, and opens it again later. */
export async function openConsent(parts: BankParts, reference: ConsentReference): Promise<Grant> {
  const { organizationId, institutionId, consentId } = reference;
  if (!/^[A-Za-z0-9_-]{1,255}$/.test(consentId)) {
    throw new BankError("invalid_consent_id", "A consent of the sandbox is letters, digits, - and _");
  }
  const failure = failures[consentId];
  if (failure !== undefined) throw failure();
  const institution = findInstitution(institutionId);
  if ((await findConsent(parts.db, organizationId, consentId)) === undefined) {
    if (hostedForm.test(consentId)) throw unknownConsent();
    await giveFreely(parts, institution, reference);
  }
  const found = await load(parts, reference);
  const now = parts.clock.now();
  const isInForce = consentStatusAt(found.consent, now) === "authorized" && endOf(found.consent) > now;
  if (isInForce) return grantOf(parts, institution, found.consent);
  if (found.consent.hosted) throw new BankError("reauthorization_required", "The consent has ended");
  return renew(parts, institution, found.consent);
}

/** See `BankProvider.reopen`. */
export async function reopenConsent(parts: BankParts, reference: ConsentReference): Promise<Grant> {
  const { consent } = await load(parts, reference);
  return renew(parts, findInstitution(reference.institutionId), consent);
}

export async function revokeConsent(parts: BankParts, reference: ConsentReference): Promise<void> {
  const found = await findConsent(parts.db, reference.organizationId, reference.consentId);
  if (found === undefined) return;
  await simulateFaults(parts, found);
  await updateConsent(parts.db, found.consent, { status: "REVOKED" });
}

export async function consentStanding(parts: BankParts, reference: ConsentReference): Promise<ConsentStatus> {
  const { consent } = await load(parts, reference);
  const status = consentStatusAt(consent, parts.clock.now());
  return status === "authorized" ? { status, expiresAt: consent.expiresAt } : { status };
}

async function load(parts: BankParts, reference: ConsentReference): Promise<FoundConsent> {
  const found = await findConsent(parts.db, reference.organizationId, reference.consentId);
  if (found === undefined) throw unknownConsent();
  if (found.customer.institutionId !== reference.institutionId) throw otherInstitution();
  await simulateFaults(parts, found);
  return found;
}

/** The consent id identifies the customer at the bank. */
async function giveFreely(
  { db, clock }: BankParts,
  institution: SandboxInstitution,
  { organizationId, consentId }: ConsentReference,
): Promise<void> {
  const now = clock.now();
  await db.transaction(async (transaction) => {
    const customer = await openCustomer(transaction, { organizationId, institution, name: consentId, now });
    await insertConsent(transaction, {
      organizationId,
      id: consentId,
      customerId: customer.id,
      hosted: false,
      status: "AUTHORIZED",
      ...freely,
      accounts: null,
      // Only the team limits how long it uses such a consent, so the bank sets no expiry.
      expiresAt: null,
      createdAt: now,
    });
  });
}

async function renew(parts: BankParts, institution: SandboxInstitution, consent: ConsentRow): Promise<Grant> {
  const now = parts.clock.now();
  const renewed: ConsentRow = {
    ...consent,
    status: "AUTHORIZED",
    createdAt: now,
    expiresAt: consent.hosted ? endOf({ ...consent, expiresAt: null, createdAt: now }) : null,
  };
  await updateConsent(parts.db, consent, renewed);
  return grantOf(parts, institution, renewed);
}

function grantOf(parts: BankParts, institution: SandboxInstitution, consent: ConsentRow): Grant {
  return {
    consentId: consent.id,
    token: tokenOf(parts, consent),
    institution: publicFacts(institution),
    scopes: consent.scopes,
    expiresAt: endOf(consent),
    isLimit: consent.hosted,
  };
}

/** When a consent expires: at the bank or, if the bank sets no expiry, after its duration in days. */
function endOf({ expiresAt, createdAt, days }: Pick<ConsentRow, "expiresAt" | "createdAt" | "days">): Date {
  return expiresAt ?? new Date(createdAt.getTime() + days * dayMilliseconds);
}

const unknownConsent = () =>
  new BankError("consent_not_found", "The sandbox knows no such consent for this team");
