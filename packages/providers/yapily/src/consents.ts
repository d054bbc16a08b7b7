import { addMs } from "@purser/core";
import {
  type AuthorizedConsent,
  BankError,
  type ConsentReference,
  type ConsentStatus,
  type Grant,
} from "@purser/banking/ports";
import type { Schemas } from "./api.ts";
import type { YapilyClient } from "./client.ts";
import { YapilyError, unreadableError } from "./errors.ts";
import type { InstitutionDirectory } from "./institutions.ts";

export type Consent = Schemas["Consent"];

/** A consent that {@link requireOwnConsent} has checked. */
export type OwnConsent = Consent & { id: string };

/**
 * - `active`: authorizes reading
 * - `pending`: not authorized yet, or not by all owners of the account
 * - `expired`: was authorized, and the person can renew it
 * - `rejected`: was never authorized, and cannot be
 * - `ended`: was authorized, and cannot be renewed
 */
export type ConsentStage = "active" | "pending" | "expired" | "rejected" | "ended";

const stages: Readonly<Record<Schemas["AuthorisationStatus"], ConsentStage>> = {
  AUTHORIZED: "active",
  AWAITING_AUTHORIZATION: "pending",
  // Of several owners of the account, not all have agreed.
  AWAITING_FURTHER_AUTHORIZATION: "pending",
  AWAITING_PRE_AUTHORIZATION: "pending",
  AWAITING_DECOUPLED_PRE_AUTHORIZATION: "pending",
  PRE_AUTHORIZED: "pending",
  AWAITING_DECOUPLED_AUTHORIZATION: "pending",
  AWAITING_SCA_METHOD: "pending",
  AWAITING_SCA_CODE: "pending",
  UNKNOWN: "pending",
  AWAITING_RE_AUTHORIZATION: "expired",
  EXPIRED: "expired",
  REJECTED: "rejected",
  FAILED: "rejected",
  INVALID: "rejected",
  REVOKED: "ended",
  CONSUMED: "ended",
};

/** Returns the stage of a consent. An unknown status is pending. */
export function stageOf(consent: Consent, now: Date): ConsentStage {
  if (consent.isDeletedByInstitution === true) return "ended";
  const stage = stages[consent.status ?? "UNKNOWN"] ?? "pending";
  const end = dateOf(consent.expiresAt);
  // Yapily updates the status only some time after the expiry.
  return stage === "active" && end !== null && end <= now ? "expired" : stage;
}

/**
 * The expiry, and by when the person should confirm the consent, which does not end it. See
 * https://docs.yapily.com/data/financial-data-resources/uk-data-consent-changes.
 */
function datesOf({ expiresAt, reconfirmBy }: Consent) {
  return { expiresAt: dateOf(expiresAt), reconfirmBy: dateOf(reconfirmBy) };
}

function dateOf(text: string | undefined): Date | null {
  if (!text) return null;
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) throw unreadableError("a consent", "the expiry is not a date");
  return date;
}

/** Implements {@link BankProvider.openConsent}. */
export async function openYapilyConsent(
  yapily: YapilyClient,
  directory: InstitutionDirectory,
  reference: ConsentReference,
): Promise<Grant> {
  const consent = await readYapilyConsent(yapily, reference);
  const stage = stageOf(consent, yapily.clock.now());
  if (stage === "pending" || stage === "rejected") throw notAuthorized(stage);
  if (stage !== "active") {
    throw new BankError("reauthorization_required", `Yapily, the consent: it has ${stage}`);
  }
  if (!consent.consentToken) throw unreadableError("GET /consents/{id}", "no token");
  return {
    consentId: consent.id,
    token: consent.consentToken,
    institution: await directory.find(reference.institutionId),
    scopes: scopesOf(consent.featureScope ?? []),
    ...datesOf(consent),
    isLimit: true,
  };
}

/**
 * Implements {@link BankProvider.consentStatus}. Yapily may not know that the bank has ended a consent: only reading shows
 * it. A consent that Yapily does not find may be one of another application, whose credentials the service has by mistake, so
 * its token is kept.
 */
export async function readYapilyConsentStatus(
  yapily: YapilyClient,
  reference: ConsentReference,
): Promise<ConsentStatus> {
  let consent;
  try {
    consent = await readYapilyConsent(yapily, reference);
  } catch (error) {
    if (isGone(error)) return { status: "reauthorization_required" };
    throw error;
  }
  const stage = stageOf(consent, yapily.clock.now());
  if (stage === "active") return { status: "authorized", ...datesOf(consent) };
  const isOver = stage === "rejected" || stage === "ended";
  return { status: isOver ? "revoked" : "reauthorization_required" };
}

/** How far our clock may be ahead of Yapily's, which accepts no confirmation in the future. */
const clockToleranceMs = 60_000;

/** Implements {@link BankProvider.reconfirm}. Yapily answers 400 for a consent that cannot be confirmed. */
export async function extendYapilyConsent(
  yapily: YapilyClient,
  reference: ConsentReference,
  confirmedAt: Date,
): Promise<AuthorizedConsent> {
  // Proves that the consent belongs to the team.
  const consent = await readYapilyConsent(yapily, reference);
  const stage = stageOf(consent, yapily.clock.now());
  // Only the bank can bring it back into force.
  if (stage !== "active")
    throw new BankError("reauthorization_required", `Yapily, the consent: it is ${stage}`);
  const name = "POST /consents/{id}/extend";
  const options = {
    params: { path: { consentId: consent.id } },
    body: { lastConfirmedAt: addMs(confirmedAt, -clockToleranceMs).toISOString() },
  };
  const { data } = await yapily.call(
    name,
    (api, signal) => api.POST("/consents/{consentId}/extend", { ...options, signal }),
    { errorKinds: { 400: consent.reconfirmBy ? "outage" : "not_supported", 404: "consent_not_found" } },
  );
  if (!data) throw unreadableError(name, "no consent");
  return { status: "authorized", ...datesOf(requireOwnConsent(data, reference)) };
}

/** Implements {@link BankProvider.revoke}. `forceDelete` removes the consent at Yapily even if the bank does not respond. */
export async function revokeYapilyConsent(
  yapily: YapilyClient,
  { consentId }: ConsentReference,
): Promise<void> {
  const name = "DELETE /consents/{id}";
  const params = { path: { consentId }, query: { forceDelete: true } };
  const { data } = await yapily.call(
    name,
    (api, signal) => api.DELETE("/consents/{consentId}", { params, signal }),
    { errorKinds: { 404: "consent_not_found" } },
  );
  if (data?.deleteStatus === "FAILED") throw new BankError("outage", `Yapily, ${name}: the deletion failed`);
}

/**
 * Reads a consent in any state. Throws `invalid_consent_id`, and `consent_not_found` if there is none or it belongs to
 * another team or institution.
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
    { errorKinds: { 404: "consent_not_found" } },
  );
  if (!data) throw unreadableError(name, "no consent");
  return requireOwnConsent(data, reference);
}

/**
 * Returns the consent if it belongs to the team and the institution. The credentials of the application can read the
 * consents of all teams. Without this check a team could use the consent of another team by its id.
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

/** The error for a consent that is not in force. A pending one may come into force without the person. */
export function notAuthorized(stage: ConsentStage): BankError {
  const kind = stage === "pending" ? "authorization_pending" : "consent_not_found";
  return new BankError(kind, `Yapily, the consent: it is ${stage}`);
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

function isGone(error: unknown): boolean {
  return error instanceof YapilyError && error.status === 404;
}

/** The scopes that we show, with the features that grant them. */
const scopes: Readonly<Record<string, readonly Schemas["Feature"][]>> = {
  accounts: ["ACCOUNTS", "ACCOUNT", "ACCOUNTS_WITHOUT_BALANCE", "ACCOUNT_WITHOUT_BALANCE"],
  // These two features include balances.
  balances: ["ACCOUNTS", "ACCOUNT", "ACCOUNT_BALANCES"],
  transactions: ["ACCOUNT_TRANSACTIONS", "ACCOUNT_TRANSACTIONS_WITH_MERCHANT"],
};

/** The features that a link requests. */
export const wantedFeatures: readonly Schemas["Feature"][] = [...new Set(Object.values(scopes).flat())];

function scopesOf(granted: readonly Schemas["Feature"][]): string[] {
  return Object.keys(scopes).filter((scope) => scopes[scope]?.some((feature) => granted.includes(feature)));
}
