import { type Transaction, bankConnections } from "@purser/db";
import { type Person, type TestPurser, problemOf } from "@purser/testing";
import { eq } from "drizzle-orm";
import { completeLink } from "../link/service/hosted-links.ts";
import * as controls from "../sandbox/controls/bank.ts";
import { externalIdsOf } from "../sandbox/external-ids.ts";
import type { SandboxBankFault } from "../sandbox/faults.ts";
import { approveLink } from "../sandbox/links.ts";
import type { BankFailures } from "./flaky-bank.ts";
import { type CurrentConsent, readLedger, readTruth } from "./ledger-model.ts";

const institution = { provider: "sandbox", providerId: "sprout-bank" } as const;

/** A bank customer, and an organization that reads the customer's accounts under one consent after another. */
export interface World extends CurrentConsent {
  purser: TestPurser;
  owner: Person;
  failures: BankFailures;
  feed: "cursor" | "window";
  /** All connections so far, by their current consent. */
  connections: Map<string, string>;
  /** What the owner set on rows, by their ids. */
  personal: Map<string, { category: string | null; note: string | null }>;
}

export async function createWorld(
  purser: TestPurser,
  owner: Person,
  failures: BankFailures,
  feed: World["feed"],
): Promise<World> {
  const organizationId = await purser.organization(owner);
  const world: World = {
    purser,
    owner,
    failures,
    feed,
    organizationId,
    connectionId: "",
    consentId: "",
    connections: new Map(),
    personal: new Map(),
  };
  await giveConsentByLink(world);
  return world;
}

export const bankingOf = ({ purser, owner }: World) => purser.as(owner).banking;
export const ledgerOf = ({ purser, organizationId }: World) => readLedger(purser.db, organizationId);
export const truthOf = ({ purser, organizationId }: World) => readTruth(purser.db, organizationId);

/** Lets the user give another consent, for this connection or for a new one. */
export async function giveConsentByLink(world: World, connectionId?: string): Promise<void> {
  const { purser, organizationId: teamId } = world;
  // Clear all faults. Move the clock, so no two consents share an instant: the newest one is in use.
  if (world.consentId !== "") await atBank(world, (target) => controls.clearBankFaults(target));
  purser.clock.advance(1000);
  const { url } = await bankingOf(world).link.create({
    teamId,
    ...(connectionId === undefined ? institution : { connectionId }),
  });
  const linkId = url.split("/").at(-1)!;
  const choice = { customerName: "Ada", accounts: [0, 1, 2, 3, 4], transactions: true, days: 700 };
  const back = new URL((await approveLink(purser.platform, linkId, choice))!);
  await completeLink(purser.platform, linkId, back.searchParams);
  const consentId = back.searchParams.get("consent")!;
  const connection = await bankingOf(world).connections.connect({ teamId, ...institution, consentId });
  if (connectionId !== undefined && connection.id !== connectionId)
    throw new Error("The link renewed no connection");
  switchTo(world, connection.id, consentId);
}

/** Stops the scheduled syncs of this organization. */
export async function stopSchedule({ purser, organizationId }: World): Promise<void> {
  await purser.db
    .update(bankConnections)
    .set({ nextSyncAt: null })
    .where(eq(bankConnections.organizationId, organizationId));
}

/** Makes this connection the one that owns the accounts. */
export function switchTo(world: World, connectionId: string, consentId: string): void {
  Object.assign(world, { connectionId, consentId });
  world.connections.set(connectionId, consentId);
}

/** Syncs. Returns "ok" or the error code. */
export async function sync(world: World, { connectionId } = world, as = bankingOf(world)): Promise<string> {
  const call = as.connections.sync({ teamId: world.organizationId, connectionId });
  return call.then(
    () => "ok",
    (error: unknown) => problemOf(error).code,
  );
}

/** Changes something at the bank. */
export function atBank<Result>(
  { purser, organizationId, consentId }: World,
  act: (target: controls.BankTarget) => Promise<Result>,
): Promise<Result> {
  return purser.db.transaction((transaction: Transaction) =>
    act({ transaction, organizationId, consentId, notify: false }),
  );
}

/** Sets one fault at the bank for a number of times, and clears all others. */
export async function setOnlyFault(world: World, fault: SandboxBankFault, times: number): Promise<void> {
  await atBank(world, async (target) => {
    await controls.clearBankFaults(target);
    await controls.setBankFault(target, fault, { times, retryAfterSeconds: null, milliseconds: null });
  });
}

export const idsOf = ({ organizationId, consentId }: World) => externalIdsOf(organizationId, consentId);

export { controls };
