import { createHmac, timingSafeEqual } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Platform } from "@purser/platform";
import { type Access, BankError } from "../ports.ts";
import { advanceLedger } from "./ledger-updates.ts";
import { type ExternalIds, externalIdsOf } from "./external-ids.ts";
import type { FaultName } from "./faults.ts";
import { type SandboxInstitution, findInstitution } from "./institutions.ts";
import { type ConsentRow, type FoundConsent, findConsent, spendFault } from "./store/consents.ts";
import type { CustomerRow } from "./store/ledger.ts";

/** What the sandbox stands on. */
export interface BankParts extends Pick<Platform, "db" | "clock" | "settings"> {
  /** Waits, where the bank is slow. Throws when the signal aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** Waits as everybody does; tests bring a wait that takes no time. */
export const realSleep: BankParts["sleep"] = (milliseconds, signal) =>
  pause(milliseconds, undefined, signal && { signal });

/** One call of a customer's bank under a consent that is in force. */
export interface Session {
  consent: ConsentRow;
  customer: CustomerRow;
  institution: SandboxInstitution;
  ids: ExternalIds;
  /** Whether this goes wrong now; it is then one time fewer. */
  suffers(fault: FaultName): Promise<boolean>;
  /** Whether this is set to go wrong; nothing changes. */
  mayYetSuffer(fault: FaultName): boolean;
}

/** Begins a read: the bank has to answer, the consent to be in force, and the books are brought to the present. */
export async function openSession(parts: BankParts, access: Access, signal?: AbortSignal): Promise<Session> {
  signal?.throwIfAborted();
  const found = await findConsent(parts.db, access.organizationId, access.consentId);
  if (found === undefined) throw new BankError("consent_not_found", "The sandbox knows no such consent");
  const institution = findInstitution(found.customer.institutionId);
  await simulateFaults(parts, found, signal);
  const { consent } = found;
  if (institution.id !== access.institutionId) throw otherInstitution();
  if (consentStatusAt(consent, parts.clock.now()) !== "authorized") {
    throw new BankError("reauthorization_required", "The consent is not in force");
  }
  if (!isTokenOf(parts, consent, access.token)) {
    throw new BankError("reauthorization_required", "The token is not the consent's");
  }
  const customer = await advanceLedger(parts, found.customer);
  return {
    consent,
    customer,
    institution,
    ids: externalIdsOf(consent.organizationId, consent.id),
    ...sufferings(parts, found),
  };
}

/** Whether the bank answers at all, and how soon. */
export async function simulateFaults(
  parts: BankParts,
  found: FoundConsent,
  signal?: AbortSignal,
): Promise<void> {
  const { suffers } = sufferings(parts, found);
  const settingOf = (name: FaultName) => found.faults.find(({ fault }) => fault === name);
  if (await suffers("outage")) throw new BankError("outage", "The bank is down");
  if (await suffers("rate_limited")) {
    const retryAfterSeconds = settingOf("rate_limited")?.retryAfterSeconds ?? 30;
    throw new BankError("rate_limited", "The bank has had enough", { retryAfterSeconds });
  }
  if (await suffers("slow")) await parts.sleep(settingOf("slow")?.milliseconds ?? 1000, signal);
}

function sufferings(
  { db }: BankParts,
  { customer, faults }: FoundConsent,
): Pick<Session, "suffers" | "mayYetSuffer"> {
  const mayYetSuffer = (name: FaultName) => faults.some(({ fault }) => fault === name);
  return { mayYetSuffer, suffers: async (name) => mayYetSuffer(name) && spendFault(db, customer, name) };
}

/** How a consent stands at an instant. */
export function consentStatusAt(
  { status, expiresAt }: ConsentRow,
  now: Date,
): "authorized" | "revoked" | "reauthorization_required" {
  if (status === "REVOKED" || (expiresAt !== null && expiresAt <= now)) return "revoked";
  return status === "AUTHORIZED" ? "authorized" : "reauthorization_required";
}

export const otherInstitution = () =>
  new BankError("consent_not_found", "The consent was given at another institution");

/** What opens a consent's data. It follows from the service's secret, so nothing of it is stored at the bank. */
export function tokenOf({ settings }: BankParts, { organizationId, id }: ConsentRow): string {
  const mac = createHmac("sha256", settings.authSecret).update(
    `sandbox bank token\n${organizationId}\n${id}`,
  );
  return `sandbox-access-${mac.digest("base64url")}`;
}

function isTokenOf(parts: BankParts, consent: ConsentRow, token: string | null): boolean {
  const expected = Buffer.from(tokenOf(parts, consent));
  const presented = Buffer.from(token ?? "");
  return presented.length === expected.length && timingSafeEqual(presented, expected);
}
