import { addMs } from "@purser/core";
import type { BankingContext } from "./context.ts";

/** A user who is present while a bank is read, which banks limit less than reading without one. */
export interface PresentPerson {
  address: string;
  /** When the user called, in ISO 8601: long afterwards the user is no longer present. */
  requestedAt: string;
}

/** Returns the user of a browser or an app. Undefined for an API key, of a user or an organization, which a program presents. */
export function personOf({ caller, address, clock }: BankingContext): PresentPerson | undefined {
  const isProgram = caller.credential === "api-key" || caller.credential === "organization-key";
  return isProgram ? undefined : personAt(address, clock.now());
}

/** Returns the user at this address; undefined without one. */
export function personAt(address: string | undefined, now: Date): PresentPerson | undefined {
  return address === undefined ? undefined : { address, requestedAt: now.toISOString() };
}

const presenceMs = 5 * 60 * 1000;

/** A user who called before this instant is no longer present. */
export const presentSince = (now: Date): Date => addMs(now, -presenceMs);

/** The address of a user who is still present. */
export function presentAddress(person: PresentPerson | undefined, now: Date): string | undefined {
  const isPresent = person !== undefined && new Date(person.requestedAt) >= presentSince(now);
  return isPresent ? person.address : undefined;
}
