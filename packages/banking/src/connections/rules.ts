import {
  type ProblemCode,
  type bankConnectionStatuses,
  type bankConsentStatuses,
  dayMs,
  usualConsentScopes,
} from "@purser/core";
import type { AuthorizedConsent, Grant } from "../ports.ts";

/** The fields of a consent that these rules read. */
export interface ConsentFields {
  id: string;
  status: (typeof bankConsentStatuses)[number];
  scopes: string[];
  expiresAt: Date;
  revokedAt: Date | null;
  grantedScopes: string[] | null;
  grantedUntil: Date | null;
  reconfirmBy: Date | null;
  disconnectAt: Date | null;
}

/** The expiry shown for a consent without one: the latest date of the wire format. */
export const noExpiry = new Date("9999-12-31T00:00:00.000Z");

/** The consent as of `now`. An expired consent reads as revoked at its expiry. */
export function consentAt<Row extends ConsentFields>(consent: Row, now: Date): Row {
  if (consent.status === "REVOKED" || now < consent.expiresAt) return consent;
  return { ...consent, status: "REVOKED", revokedAt: consent.expiresAt };
}

/** Whether the bank granted these scopes until this expiry. More needs a new consent of the person. */
export function isGranted(
  { grantedScopes, grantedUntil }: Pick<ConsentFields, "grantedScopes" | "grantedUntil">,
  wanted: { scopes: string[]; expiresAt: Date },
): boolean {
  const scopesFit = grantedScopes === null || wanted.scopes.every((scope) => grantedScopes.includes(scope));
  return scopesFit && (grantedUntil === null || wanted.expiresAt <= grantedUntil);
}

/**
 * The scopes that the bank grants and the team does not use. What they cover is not read. Where the bank sets no limit, a
 * team may name scopes as it likes, so a list without any usual name withholds nothing.
 */
export function withheldScopes({
  scopes,
  grantedScopes,
}: Pick<ConsentFields, "scopes" | "grantedScopes">): ReadonlySet<string> {
  const granted: readonly string[] = grantedScopes ?? usualConsentScopes;
  if (grantedScopes === null && !granted.some((scope) => scopes.includes(scope))) return new Set();
  return new Set(granted.filter((scope) => !scopes.includes(scope)));
}

/** Whether the bank's grant is still valid. The team may have limited it further. */
export function isActiveAtBank(
  { grantedScopes, grantedUntil, expiresAt }: ConsentFields,
  now: Date,
): boolean {
  if (grantedScopes === null) return now < expiresAt;
  return grantedUntil === null || now < grantedUntil;
}

/** The expiry of a consent after the bank reported its own; null for none. A team's earlier limit stays. */
export function renewedExpiry(
  { expiresAt, grantedUntil: before }: Pick<ConsentFields, "expiresAt" | "grantedUntil">,
  grantedUntil: Date | null,
): Date {
  const end = grantedUntil ?? noExpiry;
  const followsTheBank = expiresAt.getTime() === (before ?? noExpiry).getTime();
  return followsTheBank || end < expiresAt ? end : expiresAt;
}

/** Whether a grant renews this consent in place, so that the team's limits stay. */
export const isRenewedBy = <Row extends Pick<ConsentFields, "id" | "status">>(
  consent: Row | undefined,
  grant: Pick<Grant, "consentId">,
): consent is Row => consent?.id === grant.consentId && consent.status === "AUTHORIZED";

/**
 * The scopes and the expiry of a consent that the person renewed in place. What the team withheld stays withheld, and so does
 * its earlier end, unless that has passed.
 */
export function limitsAfterRenewal(
  consent: Pick<ConsentFields, "scopes" | "grantedScopes" | "expiresAt" | "grantedUntil">,
  grant: Pick<Grant, "scopes" | "expiresAt">,
  now: Date,
): Pick<ConsentFields, "scopes" | "expiresAt"> {
  const withheld = withheldScopes(consent);
  const expiresAt = renewedExpiry(consent, grant.expiresAt);
  return {
    scopes: grant.scopes.filter((scope) => !withheld.has(scope)),
    expiresAt: expiresAt > now ? expiresAt : (grant.expiresAt ?? noExpiry),
  };
}

/** The dates of a consent. */
type ConsentDates = Pick<ConsentFields, "expiresAt" | "grantedUntil" | "reconfirmBy" | "disconnectAt"> & {
  remindedDays: number | null;
};

/** The dates of a consent after a sync that succeeded. The bank reports its expiry and the next confirmation. */
export function datesAfterSync(
  consent: ConsentDates & Pick<ConsentFields, "grantedScopes">,
  { expiresAt: end, reconfirmBy = consent.reconfirmBy }: AuthorizedConsent,
  now: Date,
): ConsentDates {
  const { grantedUntil, disconnectAt } = consent;
  const isLimited = consent.grantedScopes !== null;
  const expiresAt = isLimited ? renewedExpiry(consent, end) : consent.expiresAt;
  // The provider's warning is over: the person renewed the consent elsewhere, or the bank can still be read.
  const isRenewed = isLimited && grantedUntil !== null && (end ?? noExpiry) > grantedUntil;
  const isOver = disconnectAt !== null && (isRenewed || disconnectAt <= now);
  const isNew = expiresAt > consent.expiresAt || reconfirmBy?.getTime() !== consent.reconfirmBy?.getTime();
  return {
    expiresAt,
    grantedUntil: isLimited ? end : grantedUntil,
    reconfirmBy,
    disconnectAt: isOver ? null : disconnectAt,
    remindedDays: isNew || isOver ? null : consent.remindedDays,
  };
}

/** Whether the dates that the bank reports are the same in both. A person may have confirmed or changed one meanwhile. */
export function hasSameDates(one: ConsentDates, other: ConsentDates): boolean {
  const datesOf = ({ expiresAt, grantedUntil, reconfirmBy }: ConsentDates) =>
    [expiresAt, grantedUntil, reconfirmBy].map((date) => date?.getTime()).join();
  return datesOf(one) === datesOf(other);
}

/**
 * Whether both give the same access. A person may have replaced the consent, or the bank its token, meanwhile. `open` opens a
 * sealed token.
 */
export function isSameConsent<Consent extends ConsentAccess>(
  one: Consent,
  other: Consent,
  open: (consent: Consent) => string | null,
): boolean {
  if (one.id !== other.id) return false;
  // A rotation of the keys seals the same token again.
  return one.token === other.token || open(one) === open(other);
}

interface ConsentAccess {
  id: string;
  /** Sealed. */
  token: string | null;
}

/** The columns of a connection that works again. The caller requests the sync that plans the next one. */
export const reactivated = {
  status: "ACTIVE",
  needsReauthorization: null,
  nextSyncAt: null,
  failures: 0,
  disconnectedAt: null,
} as const;

/** By when a person has to act: before the expiry, the provider's disconnection, or the next confirmation. */
export function consentDeadline({
  expiresAt,
  reconfirmBy,
  disconnectAt,
}: Pick<ConsentFields, "expiresAt" | "reconfirmBy" | "disconnectAt">): Date {
  const dates = [expiresAt, reconfirmBy, disconnectAt].flatMap((date) => date ?? []);
  return dates.reduce((first, date) => (date < first ? date : first));
}

/**
 * The first deadline that has not passed; null if the consent has expired. A confirmation that is overdue, and a disconnection
 * that did not happen, end nothing.
 */
export function nextDeadline(
  { expiresAt, reconfirmBy, disconnectAt }: Pick<ConsentFields, "expiresAt" | "reconfirmBy" | "disconnectAt">,
  now: Date,
): Date | null {
  const isAhead = (date: Date | null) => date !== null && date > now;
  if (!isAhead(expiresAt)) return null;
  return consentDeadline({
    expiresAt,
    reconfirmBy: isAhead(reconfirmBy) ? reconfirmBy : null,
    disconnectAt: isAhead(disconnectAt) ? disconnectAt : null,
  });
}

/** The deadline, and what it is. A consent that has ended needs no confirmation. */
export function deadlineOf(
  consent: Pick<ConsentFields, "expiresAt" | "reconfirmBy" | "disconnectAt">,
  isInForce: boolean,
) {
  const { reconfirmBy } = consent;
  const end = consentDeadline({ ...consent, reconfirmBy: null });
  return isInForce && reconfirmBy !== null && reconfirmBy <= end
    ? { deadline: reconfirmBy, deadlineKind: "CONFIRMATION_DUE" as const }
    : { deadline: end, deadlineKind: "CONSENT_ENDS" as const };
}

/** Whether a connection that needs the person may continue without a request to us: the consent may be in force again. */
export function mayContinue(
  { needsReauthorization }: { needsReauthorization: string | null },
  newest: ConsentFields,
  now: Date,
): boolean {
  return needsReauthorization !== null && consentAt(newest, now).status === "AUTHORIZED";
}

/** Returns why a bank cannot be read on request, or null if it can. A consent that the bank ended is asked for again. */
export function refuseSync(
  { status }: { status: (typeof bankConnectionStatuses)[number] },
  newest: ConsentFields | undefined,
  now: Date,
): ProblemCode | null {
  if (status === "DISCONNECTED") return "CONNECTION_DISCONNECTED";
  const hasExpired = newest?.status === "AUTHORIZED" && consentAt(newest, now).status === "REVOKED";
  return hasExpired ? "CONSENT_EXPIRED" : null;
}

/**
 * Returns why the newest consent of a connection cannot be confirmed, or null if it can. The bank is null if it is not
 * configured.
 */
export function refuseReconfirmation(
  { status }: { status: (typeof bankConnectionStatuses)[number] },
  newest: ConsentFields,
  bank: { reconfirm?: unknown; confirmsWithoutDate?: boolean } | null,
  now: Date,
): ProblemCode | null {
  if (status === "DISCONNECTED") return "CONNECTION_DISCONNECTED";
  if (newest.status === "REVOKED") return "REAUTHORIZATION_REQUIRED";
  if (consentAt(newest, now).status === "REVOKED") return "CONSENT_EXPIRED";
  if (bank === null) return "PROVIDER_NOT_CONFIGURED";
  const hasConfirmation = newest.reconfirmBy !== null || bank.confirmsWithoutDate === true;
  return bank.reconfirm === undefined || !hasConfirmation ? "NOT_SUPPORTED_BY_PROVIDER" : null;
}

/** How many days before the deadline the owners get a mail. */
const warningDays = [14, 7, 1] as const;

/** How long before the deadline the first warning is due. */
export const firstWarningMs = Math.max(...warningDays) * dayMs;

/**
 * The warning that is due, or null. Each is due once; of several missed ones only the latest. If the last reminder was of
 * fewer days than are left, it was about an earlier deadline.
 */
export function dueWarning(deadline: Date, remindedDays: number | null, now: Date): number | null {
  const remaining = deadline.getTime() - now.getTime();
  if (remaining <= 0) return null;
  const due = warningDays.findLast((days) => remaining <= days * dayMs);
  return due === undefined || due === remindedDays ? null : due;
}
