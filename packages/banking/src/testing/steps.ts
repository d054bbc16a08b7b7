import { type RandomSource, sandboxBankFaultKinds } from "@purser/core";
import { day, hour, minute } from "@purser/core/testing";
import { createContext } from "@purser/platform";
import { type Service, createCaller, handlerOf, problemOf } from "@purser/testing";
import { sql } from "drizzle-orm";
import { bankingJobs } from "../job-definitions.ts";
import {
  type World,
  atBank,
  bankingOf,
  controls,
  setOnlyFault,
  ledgerOf,
  giveConsentByLink,
  sync,
  switchTo,
} from "./sandbox-world.ts";
import { changeBank } from "./bank-changes.ts";
import { gate } from "./scripted-bank.ts";
import { failInterruptedSyncs } from "../syncs/service/schedule.ts";

interface Parts {
  other: Service;
  /** Verifies the history so far. The bank must not change between two reads that are verified as one. */
  verify(): Promise<void>;
}

/** A step of a history. Its result is shown only if the history fails. */
export type Step = (world: World, chance: RandomSource, parts: Parts) => Promise<unknown>;

/** The error codes with which a sync may fail while a fault is set. */
const outcomes = new Set([
  "ok",
  "PROVIDER_ERROR",
  "UNAVAILABLE",
  "REAUTHORIZATION_REQUIRED",
  "CONNECTION_DISCONNECTED",
  "INTERNAL",
]);

function expected(...ended: string[]): string {
  for (const outcome of ended) if (!outcomes.has(outcome)) throw new Error(`A sync ended with ${outcome}`);
  return ended.join();
}

async function syncs(world: World) {
  return expected(await sync(world));
}

/** A sync that must succeed. */
async function mustSync(world: World): Promise<string> {
  await atBank(world, (target) => controls.clearBankFaults(target));
  const outcome = await sync(world);
  if (outcome !== "ok") throw new Error(`The sync ended with ${outcome}`);
  return outcome;
}

/** A slow bank takes real time. */
const faults = sandboxBankFaultKinds.filter((fault) => fault !== "slow");

/** A caller in another process. */
function callerIn({ platform }: Service, { owner }: World) {
  const request = { requestId: "req", caller: owner, fromTrustedOrigin: false, idempotencyKey: null };
  return createCaller(() => createContext(platform, request)).banking;
}

/** Blocks the bank's next call until it is released. Resolves once that call has arrived. */
function hold({ failures }: World): { arrived: Promise<void>; open(): void } {
  const { arrived, pass, open } = gate();
  failures.delay = () => {
    failures.delay = null;
    return pass();
  };
  return { arrived, open };
}

export const steps: Record<string, [weight: number, Step]> = {
  changeBank: [4, changeBank],
  changeAndSync: [3, async (world, chance) => [await changeBank(world, chance), await syncs(world)]],
  setPersonalValues: [3, setPersonalValues],
  letTimePass: [
    2,
    async (world, chance) => {
      world.purser.clock.advance(chance.pick([hour, 9 * hour, day, 3 * day, 16 * day]));
      return syncs(world);
    },
  ],
  syncWithFault: [
    5,
    async (world, chance) => {
      await changeBank(world, chance);
      const fault = chance.pick(faults);
      await setOnlyFault(world, fault, chance.whole(1, 3));
      return [fault, await syncs(world), await syncs(world)];
    },
  ],
  syncConcurrently: [
    2,
    async (world, chance, { other }) => {
      await changeBank(world, chance);
      const { organizationId, connectionId } = world;
      const elsewhere = callerIn(other, world);
      const job = { organizationId, connectionId };
      const ended = await Promise.all([
        sync(world),
        sync(world, world, elsewhere),
        sync(world),
        handlerOf(other.handlers, bankingJobs.sync)(job, { id: "job", attempt: 1, last: false }).then(
          () => "ok",
        ),
      ]);
      await world.purser.drain();
      return expected(...ended);
    },
  ],
  runSchedule: [
    2,
    async (world, chance) => {
      await changeBank(world, chance);
      world.purser.clock.advance(chance.pick([2 * minute, 7 * hour, 26 * hour]));
      await handlerOf(world.purser.handlers, bankingJobs.schedule)(null, {
        id: "job",
        attempt: 1,
        last: false,
      });
      return world.purser.drain();
    },
  ],
  crashDuringRead: [
    2,
    async (world, chance) => {
      await changeBank(world, chance);
      world.failures.crashesAtCall = chance.whole(1, 8);
      const outcome = await syncs(world);
      world.failures.crashesAtCall = null;
      return outcome;
    },
  ],
  failLastWrite: [
    2,
    async (world, chance) => {
      await changeBank(world, chance);
      const { purser, organizationId } = world;
      const way = chance.pick(["always", "once"]);
      await purser.db.execute(sql`INSERT INTO broken VALUES (${organizationId}, ${way})`);
      const outcome = await syncs(world);
      await purser.db.execute(sql`DELETE FROM broken`);
      if (outcome === "ok" && way === "always")
        throw new Error("The sync succeeded although its last write fails");
      return outcome;
    },
  ],
  loseProcess: [2, loseProcess],
  linkAgain: [
    2,
    async (world, chance) => {
      if (chance.happens(0.6)) await changeBank(world, chance);
      const before = world.connectionId;
      const isRenewal = chance.happens(0.5);
      await giveConsentByLink(world, isRenewal ? before : undefined);
      await world.purser.drain();
      if (!isRenewal) expected(await sync(world, { ...world, connectionId: before }));
      if (!isRenewal && chance.happens(0.3))
        await bankingOf(world).connections.disconnect({ teamId: world.organizationId, connectionId: before });
      return [isRenewal, await mustSync(world)];
    },
  ],
  loseConsent: [
    1,
    async (world, chance) => {
      const { platform } = world.purser;
      const isRevoked = chance.happens(0.5);
      const control = isRevoked ? controls.revokeConsent : controls.requireReauthorization;
      await atBank(world, async (target) => {
        await controls.clearBankFaults(target);
        await control(platform, target);
      });
      const refused = await sync(world);
      if (refused !== "REAUTHORIZATION_REQUIRED") throw new Error(`The sync ended with ${refused}`);
      if (isRevoked) await giveConsentByLink(world, world.connectionId);
      else await atBank(world, (target) => controls.repairConsent(platform, target));
      await world.purser.drain();
      return [refused, await mustSync(world)];
    },
  ],
  endNewest: [1, endNewest],
};

/** The owner categorizes and annotates rows while a sync writes them. */
async function setPersonalValues(world: World, chance: RandomSource): Promise<unknown> {
  await changeBank(world, chance);
  const { organizationId: teamId, personal } = world;
  const { transactions } = bankingOf(world);
  const listed = await transactions.list({ teamId, status: "ALL", limit: 40 });
  const update = async () => {
    for (let count = chance.whole(1, 3); count > 0; count -= 1) {
      const { id: transactionId } = chance.pick(listed);
      const values = { category: chance.pick([null, "MINE", "FOOD"]), note: chance.pick([null, "A note"]) };
      const code = await transactions.update({ teamId, transactionId, ...values }).then(
        () => "ok",
        (error: unknown) => problemOf(error).code,
      );
      if (code === "ok") personal.set(transactionId, values);
      else if (code !== "BANK_TRANSACTION_NOT_FOUND") throw new Error(`The update ended with ${code}`);
    }
  };
  const [outcome] = await Promise.all([syncs(world), update()]);
  return outcome;
}

/** A process stops in the middle, its sync is superseded, and it resumes after others have continued. */
async function loseProcess(world: World, chance: RandomSource, { verify }: Parts): Promise<unknown> {
  await changeBank(world, chance);
  const { purser } = world;
  const { arrived, open } = hold(world);
  const dead = sync(world);
  await arrived;
  const isFollowed = chance.happens(0.5);
  const next = isFollowed ? sync(world) : null;
  purser.clock.advance(6 * minute);
  await failInterruptedSyncs(purser.platform);
  await purser.drain();
  if (next !== null) expected(await next);
  await verify();
  if (chance.happens(0.5)) await changeBank(world, chance);
  purser.clock.advance(hour);
  await handlerOf(purser.handlers, bankingJobs.schedule)(null, { id: "job", attempt: 1, last: false });
  await purser.drain();
  open();
  return [expected(await dead), await mustSync(world)];
}

/** The newest connection ends, and an earlier one takes over the accounts. */
async function endNewest(world: World): Promise<unknown> {
  const { organizationId: teamId, connectionId } = world;
  const { connections } = await ledgerOf(world);
  const earlier = connections.findLast(({ id, status }) => id !== connectionId && status === "ACTIVE");
  if (earlier === undefined) return syncs(world);
  await bankingOf(world).connections.disconnect({ teamId, connectionId });
  switchTo(world, earlier.id, world.connections.get(earlier.id)!);
  await world.purser.drain();
  return mustSync(world);
}
