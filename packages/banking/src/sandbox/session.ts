import { createHmac, timingSafeEqual } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Platform } from "@purser/platform";
import { type Access, BankError, type ConsentStatus } from "../ports.ts";
import { type ExternalIds, externalIdsOf } from "./external-ids.ts";
import type { SandboxBankFault } from "./faults.ts";
import { type SandboxInstitution, findInstitution } from "./institutions.ts";
import { advanceLedger } from "./ledger-updates.ts";
import {
  type SandboxConsentRow,
  type FoundConsent,
  findSandboxConsent,
  decrementFault,
} from "./store/consents.ts";
import type { CustomerRow } from "./store/ledger.ts";

/** The platform parts that the sandbox uses. */
export interface BankParts extends Pick<Platform, "db" | "clock" | "settings"> {
  /** Waits if the bank is slow. Throws when the signal aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** Waits in real time. Tests pass a function that returns at once. */
export const realSleep: BankParts["sleep"] = (milliseconds, signal) =>
  sleep(milliseconds, undefined, signal && { signal });

/** One call to a customer's bank under a valid consent. */
export interface Session {
  consent: SandboxConsentRow;
  customer: CustomerRow;
  institution: SandboxInstitution;
  ids: ExternalIds;
  /** Whether this fault happens now. If so, uses it up once. */
  consumeFault(fault: SandboxBankFault): Promise<boolean>;
  /** Whether this fault is set. Does not use it up. */
  hasFault(fault: SandboxBankFault): boolean;
}

/** Begins a read: checks faults and consent, and generates the customer's activity up to now. */
export async function openSession(parts: BankParts, access: Access, signal?: AbortSignal): Promise<Session> {
  signal?.throwIfAborted();
  const found = await findSandboxConsent(parts.db, access.organizationId, access.consentId);
  if (found === undefined) throw new BankError("consent_not_found", "The sandbox knows no such consent");
  const institution = findInstitution(found.customer.institutionId);
  await simulateFaults(parts, found, signal);
  const { consent } = found;
  if (institution.id !== access.institutionId) throw otherInstitution();
  if (consentStatusAt(consent, parts.clock.now()) !== "authorized") {
    throw new BankError("reauthorization_required", "The consent is not valid");
  }
  if (!isTokenOf(parts, consent, access.token)) {
    throw new BankError("reauthorization_required", "The token does not belong to the consent");
  }
  const customer = await advanceLedger(parts, found.customer);
  return {
    consent,
    customer,
    institution,
    ids: externalIdsOf(consent.organizationId, consent.id),
    ...faultsOf(parts, found),
  };
}

/** Applies the faults that affect availability and speed. */
export async function simulateFaults(
  parts: BankParts,
  found: FoundConsent,
  signal?: AbortSignal,
): Promise<void> {
  const { consumeFault } = faultsOf(parts, found);
  const settingOf = (name: SandboxBankFault) => found.faults.find(({ fault }) => fault === name);
  if (await consumeFault("outage")) throw new BankError("outage", "The bank is down");
  if (await consumeFault("rate_limited")) {
    const retryAfterSeconds = settingOf("rate_limited")?.retryAfterSeconds ?? 30;
    throw new BankError("rate_limited", "Too many requests", { retryAfterSeconds });
  }
  if (await consumeFault("slow")) await parts.sleep(settingOf("slow")?.milliseconds ?? 1000, signal);
}

function faultsOf(
  { db }: BankParts,
  { customer, faults }: FoundConsent,
): Pick<Session, "consumeFault" | "hasFault"> {
  const hasFault = (name: SandboxBankFault) => faults.some(({ fault }) => fault === name);
  return { hasFault, consumeFault: async (name) => hasFault(name) && decrementFault(db, customer, name) };
}

/** The status of a consent at an instant. */
export function consentStatusAt(
  { status, expiresAt }: SandboxConsentRow,
  now: Date,
): ConsentStatus["status"] {
  if (status === "REVOKED" || (expiresAt !== null && expiresAt <= now)) return "revoked";
  return status === "AUTHORIZED" ? "authorized" : "reauthorization_required";
}

export const otherInstitution = () =>
  new BankError("consent_not_found", "The consent belongs to another institution");

/** The token of a consent. It derives from the service's secret, so the bank does not store it. */
export function tokenOf({ settings }: BankParts, { organizationId, id }: SandboxConsentRow): string {
  const mac = createHmac("sha256", settings.authSecret).update(
    `sandbox bank token\n${organizationId}\n${id}`,
  );
  return `sandbox-access-${mac.digest("base64url")}`;
}

function isTokenOf(parts: BankParts, consent: SandboxConsentRow, token: string | null): boolean {
  const expected = Buffer.from(tokenOf(parts, consent));
  const presented = Buffer.from(token ?? "");
  return presented.length === expected.length && timingSafeEqual(presented, expected);
}
