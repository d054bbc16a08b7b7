import { BankError, type ConsentReference, type Grant, type ConsentStatus } from "@purser/banking/ports";
import type { Schemas } from "./api.ts";
import type { YapilyClient } from "./client.ts";
import { YapilyError, unreadableError } from "./errors.ts";
import type { InstitutionDirectory } from "./institutions.ts";

export type Consent = Schemas["Consent"];

/** A consent that is known to be the team's own: see {@link requireOwnConsent}. */
export type OwnConsent = Consent & { id: string };

/**
 * - `in_force`: it opens the data
 * - `ungiven`: nobody has given it yet, or not everybody who has to
 * - `lapsed`: it was given, and the person can renew it
 * - `refused`: it never came about and never will
 * - `ended`: it was given, and is over for good
 */
export type ConsentStage = "in_force" | "ungiven" | "lapsed" | "refused" | "ended";

const stages: Readonly<Record<Schemas["AuthorisationStatus"], ConsentStage>> = {
  AUTHORIZED: "in_force",
  AWAITING_AUTHORIZATION: "ungiven",
  // An account with several owners: one of them has agreed, the others have not.
  AWAITING_FURTHER_AUTHORIZATION: "ungiven",
  AWAITING_PRE_AUTHORIZATION: "ungiven",
  AWAITING_DECOUPLED_PRE_AUTHORIZATION: "ungiven",
  PRE_AUTHORIZED: "ungiven",
  AWAITING_DECOUPLED_AUTHORIZATION: "ungiven",
  AWAITING_SCA_METHOD: "ungiven",
  AWAITING_SCA_CODE: "ungiven",
  UNKNOWN: "ungiven",
  AWAITING_RE_AUTHORIZATION: "lapsed",
  EXPIRED: "lapsed",
  REJECTED: "refused",
  FAILED: "refused",
  INVALID: "refused",
  REVOKED: "ended",
  CONSUMED: "ended",
};

/** Where a consent stands now. A status that is not known yet opens nothing. */
export function stageOf(consent: Consent, now: Date): ConsentStage {
  if (consent.isDeletedByInstitution === true) return "ended";
  const stage = stages[consent.status ?? "UNKNOWN"] ?? "ungiven";
  const end = effectiveExpiry(consent);
  // The status follows the calendar only when Yapily next looks.
  return stage === "in_force" && end !== null && end <= now ? "lapsed" : stage;
}

/** The earlier of a consent's end and the day by which it must be confirmed again (UK: every 90 days). */
function effectiveExpiry({ expiresAt, reconfirmBy }: Consent): Date | null {
  const ends = [expiresAt, reconfirmBy].flatMap((text) => (text ? [Date.parse(text)] : []));
  if (ends.some(Number.isNaN)) throw unreadableError("a consent", "its expiry is no date");
  return ends.length === 0 ? null : new Date(Math.min(...ends));
}

/** See {@link BankProvider.openConsent}. */
export async function openYapilyConsent(
  yapily: YapilyClient,
  directory: InstitutionDirectory,
  reference: ConsentReference,
): Promise<Grant> {
  const consent = await readYapilyConsent(yapily, reference);
  const stage = stageOf(consent, yapily.clock.now());
  if (stage === "ungiven" || stage === "refused") throw consentNotFound(`it is ${stage}`);
  if (stage !== "in_force") {
    throw new BankError("reauthorization_required", `Yapily, the consent: it has ${stage}`);
  }
  if (!consent.consentToken) throw unreadableError("GET /consents/{id}", "no token");
  return {
    consentId: consent.id,
    token: consent.consentToken,
    institution: await directory.find(reference.institutionId),
    scopes: scopesOf(consent.featureScope ?? []),
    expiresAt: effectiveExpiry(consent),
    isLimit: true,
  };
}

/** See {@link BankProvider.standing}. A bank may have ended a consent without Yapily knowing: only reading shows it. */
export async function readYapilyConsentStatus(
  yapily: YapilyClient,
  reference: ConsentReference,
): Promise<ConsentStatus> {
  let consent;
  try {
    consent = await readYapilyConsent(yapily, reference);
  } catch (error) {
    if (isGone(error)) return { status: "revoked" };
    throw error;
  }
  const stage = stageOf(consent, yapily.clock.now());
  if (stage === "in_force") return { status: "authorized", expiresAt: effectiveExpiry(consent) };
  const isOver = stage === "refused" || stage === "ended";
  return { status: isOver ? "revoked" : "reauthorization_required" };
}

/** See {@link BankProvider.revoke}. Forced, it goes at Yapily even where the bank does not answer. */
export async function revokeYapilyConsent(
  yapily: YapilyClient,
  { consentId }: ConsentReference,
): Promise<void> {
  const name = "DELETE /consents/{id}";
  const params = { path: { consentId }, query: { forceDelete: true } };
  try {
    const { data } = await yapily.call(name, (api, signal) =>
      api.DELETE("/consents/{consentId}", { params, signal }),
    );
    if (data?.deleteStatus === "FAILED") throw new BankError("outage", `Yapily, ${name}: it failed`);
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

/**
 * A consent as Yapily has it, in whatever state. Throws `invalid_consent_id`, and `consent_not_found` where there is
 * none or it was given for another team or institution.
 */
export async function readYapilyConsent(
  yapily: YapilyClient,
  reference: ConsentReference,
): Promise<OwnConsent> {
  const { consentId } = reference;
  if (!uuid.test(consentId)) throw new BankError("invalid_consent_id", "Yapily: consent ids are UUIDs");
  const name = "GET /consents/{id}";
  const { data } = await yapily.call(
    name,
    (api, signal) => api.GET("/consents/{consentId}", { params: { path: { consentId } }, signal }),
    { refusals: { 404: "consent_not_found" } },
  );
  if (!data) throw unreadableError(name, "no consent");
  return requireOwnConsent(data, reference);
}

/**
 * The consent, once it is known to be this team's. The application's credentials open every team's consents: without
 * this check any team could take up another's by its id.
 */
export function requireOwnConsent(consent: Consent, reference: ConsentReference): OwnConsent {
  const isOwn =
    consent.id?.toLowerCase() === reference.consentId.toLowerCase() &&
    consent.applicationUserId === reference.organizationId &&
    consent.institutionId === reference.institutionId;
  if (!isOwn) throw consentNotFound("it belongs to another team or institution");
  return consent as OwnConsent;
}

export function consentNotFound(why: string): BankError {
  return new BankError("consent_not_found", `Yapily, the consent: ${why}`);
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

function isGone(error: unknown): boolean {
  return error instanceof YapilyError && error.status === 404;
}

/**
 * Yapily's features in the three words people are shown. Those that concern neither accounts nor transactions are
 * left out: the adapter does not ask for them.
 */
const scopes: Readonly<Record<string, readonly Schemas["Feature"][]>> = {
  accounts: ["ACCOUNTS", "ACCOUNT", "ACCOUNTS_WITHOUT_BALANCE", "ACCOUNT_WITHOUT_BALANCE"],
  // An account comes with its balances, unless the feature says otherwise.
  balances: ["ACCOUNTS", "ACCOUNT", "ACCOUNT_BALANCES"],
  transactions: ["ACCOUNT_TRANSACTIONS", "ACCOUNT_TRANSACTIONS_WITH_MERCHANT"],
};

function scopesOf(granted: readonly Schemas["Feature"][]): string[] {
  return Object.keys(scopes).filter((scope) => scopes[scope]?.some((feature) => granted.includes(feature)));
}
