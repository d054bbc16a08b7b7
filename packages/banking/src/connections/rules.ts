/** A consent as it is stored. */
export interface ConsentRow {
  id: string;
  status: "AUTHORIZED" | "REVOKED";
  scopes: string[];
  expiresAt: Date;
  revokedAt: Date | null;
  grantedScopes: string[] | null;
  grantedUntil: Date | null;
}

/** Shown for a consent that has no end: the last day that dates on the wire can say. */
export const never = new Date("9999-12-31T00:00:00.000Z");

/** A consent as it is now: one that has expired fails closed and reads as revoked at that moment. */
export function consentAt<Row extends ConsentRow>(consent: Row, now: Date): Row {
  if (consent.status === "REVOKED" || now < consent.expiresAt) return consent;
  return { ...consent, status: "REVOKED", revokedAt: consent.expiresAt };
}

/** Whether the bank has granted as much: more needs the person to give their consent again. */
export function isGranted(
  { grantedScopes, grantedUntil }: Pick<ConsentRow, "grantedScopes" | "grantedUntil">,
  wanted: { scopes: string[]; expiresAt: Date },
): boolean {
  const scopesFit = grantedScopes === null || wanted.scopes.every((scope) => grantedScopes.includes(scope));
  return scopesFit && (grantedUntil === null || wanted.expiresAt <= grantedUntil);
}

/** Whether the bank's grant lasts still, though the team may have limited it to less. */
export function runsAtBank({ grantedScopes, grantedUntil, expiresAt }: ConsentRow, now: Date): boolean {
  if (grantedScopes === null) return now < expiresAt;
  return grantedUntil === null || now < grantedUntil;
}

/** When a consent ends once the bank says how long it is granted; what a team limited further stays so. */
export function renewedExpiry(
  consent: Pick<ConsentRow, "expiresAt" | "grantedUntil">,
  grantedUntil: Date,
): Date {
  const followsTheBank =
    consent.grantedUntil === null || consent.expiresAt.getTime() === consent.grantedUntil.getTime();
  return followsTheBank || grantedUntil < consent.expiresAt ? grantedUntil : consent.expiresAt;
}

/** How many days ahead owners are told that a consent ends. */
const warnings = [14, 7, 1] as const;
const day = 24 * 60 * 60 * 1000;

/** The warning that is due, or null. Each is given once; of several that were missed only the last one. */
export function dueWarning(expiresAt: Date, remindedDays: number | null, now: Date): number | null {
  const remaining = expiresAt.getTime() - now.getTime();
  if (remaining <= 0) return null;
  const due = warnings.findLast((days) => remaining <= days * day);
  return due !== undefined && (remindedDays === null || due < remindedDays) ? due : null;
}
