import { type Transaction, bankConnections } from "@purser/db";
import { eq } from "drizzle-orm";
import * as controls from "../sandbox/controls/bank.ts";
import { externalIdsOf } from "../sandbox/external-ids.ts";
import type { FaultName } from "../sandbox/faults.ts";
import { approveLink } from "../sandbox/links.ts";
import { completeLink } from "../link/service.ts";
import { type Person, type TestPurser, problemOf } from "@purser/testing";
import { type Naming, readLedger, readTruth } from "./ledger-model.ts";
import type { FailureMode } from "./flaky-bank.ts";

const institution = { provider: "sandbox", providerId: "sprout-bank" } as const;

/** One customer of a bank, and the organization that reads it by one consent after the other. */
export interface World extends Naming {
  purser: TestPurser;
  owner: Person;
  mood: FailureMode;
  feed: "cursor" | "window";
  /** Every connection there was, by the consent that it has now. */
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

/** Lets the person give the bank's consent once more: for this connection, or for a new one. */
export async function link(world: World, connectionId?: string): Promise<void> {
  const { purser, organizationId: teamId } = world;
  // Nothing is in the way; and the newest consent is the one that is used, so no two are of one moment.
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

/** Lets nothing more happen to it while time goes on for others. */
export async function rest({ purser, organizationId }: World): Promise<void> {
  await purser.db
    .update(bankConnections)
    .set({ nextSyncAt: null })
    .where(eq(bankConnections.organizationId, organizationId));
}

/** Goes on with this connection as the one that feeds the accounts. */
export function use(world: World, connectionId: string, consentId: string): void {
  Object.assign(world, { connectionId, consentId });
  world.connections.set(connectionId, consentId);
}

/** Synchronises, and gives "ok" or the code of the problem. */
export async function sync(world: World, { connectionId } = world, as = banking(world)): Promise<string> {
  const call = as.connections.sync({ teamId: world.organizationId, connectionId });
  return call.then(
    () => "ok",
    (error: unknown) => problemOf(error).code,
  );
}

/** Does something at the bank. */
export function atBank<Result>(
  { purser, organizationId, consentId }: World,
  act: (place: controls.Place) => Promise<Result>,
): Promise<Result> {
  return purser.db.transaction((transaction: Transaction) =>
    act({ transaction, organizationId, consentId, notify: false }),
  );
}

/** Lets one thing go wrong at the bank so many times, and nothing else. */
export async function fail(world: World, fault: FaultName, times: number): Promise<void> {
  await atBank(world, async (place) => {
    await controls.clearFaults(place);
    await controls.setFault(place, fault, { times, retryAfterSeconds: null, milliseconds: null });
  });
}

export const idsOf = ({ organizationId, consentId }: World) => externalIdsOf(organizationId, consentId);

export { controls };
