import { type Transaction, bankConnections } from "@purser/db";
import { type Person, type TestPurser, problemOf } from "@purser/testing";
import { eq } from "drizzle-orm";
import { completeLink } from "../link/service.ts";
import * as controls from "../sandbox/controls/bank.ts";
import { externalIdsOf } from "../sandbox/external-ids.ts";
import type { FaultName } from "../sandbox/faults.ts";
import { approveLink } from "../sandbox/links.ts";
import type { FailureMode } from "./flaky-bank.ts";
import { type Naming, readLedger, readTruth } from "./ledger-model.ts";

const institution = { provider: "sandbox", providerId: "sprout-bank" } as const;

/** A bank customer, and an organization that reads the customer's accounts under one consent after another. */
export interface World extends Naming {
  purser: TestPurser;
  owner: Person;
  mood: FailureMode;
  feed: "cursor" | "window";
  /** All connections so far, by their current consent. */
  connections: Map<string, string>;
}

export async function createWorld(
  purser: TestPurser,
  owner: Person,
  mood: FailureMode,
  feed: World["feed"],
): Promise<World> {
  const organizationId = await purser.organization(owner);
  const world: World = {
    purser,
    owner,
    mood,
    feed,
    organizationId,
    connectionId: "",
    consentId: "",
    connections: new Map(),
  };
  await link(world);
  return world;
}

export const banking = ({ purser, owner }: World) => purser.as(owner).banking;
export const ledgerOf = ({ purser, organizationId }: World) => readLedger(purser.db, organizationId);
export const truthOf = ({ purser, organizationId }: World) => readTruth(purser.db, organizationId);

/** Lets the user give another consent, for this connection or for a new one. */
export async function link(world: World, connectionId?: string): Promise<void> {
  const { purser, organizationId: teamId } = world;
  // Clear all faults. Move the clock, so no two consents share an instant: the newest one is in use.
  if (world.consentId !== "") await atBank(world, (place) => controls.clearFaults(place));
  purser.clock.advance(1000);
  const { url } = await banking(world).link.create({
    teamId,
    ...(connectionId === undefined ? institution : { connectionId }),
  });
  const linkId = url.split("/").at(-1)!;
  const choice = { customerName: "Ada", accounts: [0, 1, 2, 3, 4], transactions: true, days: 700 };
  const back = new URL((await approveLink(purser.platform, linkId, choice))!);
  await completeLink(purser.platform, linkId, back.searchParams);
  const consentId = back.searchParams.get("consent")!;
  const connection = await banking(world).connections.connect({ teamId, ...institution, consentId });
  if (connectionId !== undefined && connection.id !== connectionId) throw new Error("It renewed nothing");
  use(world, connection.id, consentId);
}

/** Stops the customer's activity while time continues for others. */
export async function rest({ purser, organizationId }: World): Promise<void> {
  await purser.db
    .update(bankConnections)
    .set({ nextSyncAt: null })
    .where(eq(bankConnections.organizationId, organizationId));
}

/** Makes this connection the one that feeds the accounts. */
export function use(world: World, connectionId: string, consentId: string): void {
  Object.assign(world, { connectionId, consentId });
  world.connections.set(connectionId, consentId);
}

/** Syncs. Returns "ok" or the error code. */
export async function sync(world: World, { connectionId } = world, as = banking(world)): Promise<string> {
  const call = as.connections.sync({ teamId: world.organizationId, connectionId });
  return call.then(
    () => "ok",
    (error: unknown) => problemOf(error).code,
  );
}

/** Changes something at the bank. */
export function atBank<Result>(
  { purser, organizationId, consentId }: World,
  act: (place: controls.Place) => Promise<Result>,
): Promise<Result> {
  return purser.db.transaction((transaction: Transaction) =>
    act({ transaction, organizationId, consentId, notify: false }),
  );
}

/** Sets one fault at the bank for a number of times, and clears all others. */
export async function fail(world: World, fault: FaultName, times: number): Promise<void> {
  await atBank(world, async (place) => {
    await controls.clearFaults(place);
    await controls.setFault(place, fault, { times, retryAfterSeconds: null, milliseconds: null });
  });
}

export const idsOf = ({ organizationId, consentId }: World) => externalIdsOf(organizationId, consentId);

export { controls };
