import type { RandomSource } from "@purser/core";
import { day, hour, minute } from "@purser/core/testing";
import { createContext } from "@purser/platform";
import { type Service, createCaller, handlerOf } from "@purser/testing";
import { sql } from "drizzle-orm";
import { bankingJobs } from "../job-definitions.ts";
import type { FaultName } from "../sandbox/faults.ts";
import {
  type World,
  atBank,
  banking,
  controls,
  fail,
  idsOf,
  ledgerOf,
  link,
  sync,
  truthOf,
  use,
} from "./sandbox-world.ts";
import { gate } from "./scripted-bank.ts";

interface Parts {
  other: Service;
  /** Verifies the history so far. The bank must not change between two reads that are verified as one. */
  look(): Promise<void>;
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

function foreseen(...ended: string[]): string {
  for (const outcome of ended) if (!outcomes.has(outcome)) throw new Error(`A sync ended with ${outcome}`);
  return ended.join();
}

async function syncs(world: World) {
  return foreseen(await sync(world));
}

/** A sync that must succeed. */
async function mustSync(world: World): Promise<string> {
  await atBank(world, (place) => controls.clearFaults(place));
  const outcome = await sync(world);
  if (outcome !== "ok") throw new Error(`It ended with ${outcome}`);
  return outcome;
}

const descriptions = ["TESCO STORES", "CAFE NERO", "TFL TRAVEL"];

const someDay = ({ purser }: World, chance: RandomSource) => {
  const back = chance.pick([0, 0, 0, 1, 2, 3, 9, 20]);
  return new Date(purser.clock.now().getTime() - back * day);
};

/** Few different amounts and descriptions, so that twins are common. */
const someFacts = (world: World, chance: RandomSource) => ({
  amount: chance.whole(1, 6) * 50,
  description: chance.pick(descriptions),
  date: someDay(world, chance),
});

async function pay(world: World, chance: RandomSource): Promise<void> {
  const state = {
    ...someFacts(world, chance),
    type: chance.happens(0.8) ? ("DEBIT" as const) : ("CREDIT" as const),
    status: chance.happens(0.5) ? ("PENDING" as const) : ("POSTED" as const),
    category: chance.pick([null, "FOOD"]),
  };
  const account = idsOf(world).account(chance.whole(0, 4));
  const copies = chance.happens(0.2) ? 2 : 1;
  for (let copy = 0; copy < copies; copy += 1)
    await atBank(world, (place) => controls.addTransaction(world.purser.platform, place, [account], state));
}

async function alter(world: World, chance: RandomSource): Promise<void> {
  const { platform } = world.purser;
  const { told } = await truthOf(world);
  const pending = told.filter(({ status }) => status === "PENDING");
  const isPosting = pending.length > 0 && chance.happens(0.5);
  const one = chance.pick(isPosting ? pending : told.slice(-15));
  const id = idsOf(world).transaction(one.transaction);
  const { amount, description, date } = someFacts(world, chance);
  const change = chance.pick([
    { description },
    { category: "TRAVEL" },
    { date },
    { amount },
    { description, date },
  ]);
  await atBank(world, async (place) => {
    if (isPosting) {
      const tip = chance.happens(0.3) ? { amount: one.amount + 100 } : {};
      await controls.postTransaction(platform, place, id, { ...tip, date });
    } else if (chance.happens(0.3)) await controls.removeTransaction(platform, place, id);
    else {
      const changed = "date" in change ? { ...change, date: date.toISOString().slice(0, 10) } : change;
      await controls.changeTransaction(platform, place, id, changed);
    }
  });
}

/** Changes at the bank. Most of them are read only by a later step. */
async function live(world: World, chance: RandomSource): Promise<void> {
  for (let count = chance.whole(1, 5); count > 0; count -= 1)
    await (chance.happens(0.5) ? pay(world, chance) : alter(world, chance));
}

const faults: FaultName[] = [
  "outage",
  "rate_limited",
  "accounts_outage",
  "not_ready",
  "cursor_lost",
  "mutation_during_pagination",
  "blank_ids",
  "repeated_ids",
  "reused_ids",
];

/** A caller in another process. */
function callerIn({ platform }: Service, { owner }: World) {
  const facts = { requestId: "req", caller: owner, fromTrustedOrigin: false, idempotencyKey: null };
  return createCaller(() => createContext(platform, facts)).banking;
}

/** Blocks the bank's next call until it is released. Resolves once that call has arrived. */
function hold({ mood }: World): { come: Promise<void>; open(): void } {
  const { come, pass, open } = gate();
  mood.waitsFor = () => {
    mood.waitsFor = null;
    return pass();
  };
  return { come, open };
}

export const steps: Record<string, [weight: number, Step]> = {
  lives: [4, live],
  syncs: [3, async (world, chance) => [await live(world, chance), await syncs(world)]],
  passes: [
    2,
    async (world, chance) => {
      world.purser.clock.advance(chance.pick([hour, 9 * hour, day, 3 * day, 16 * day]));
      return syncs(world);
    },
  ],
  suffers: [
    5,
    async (world, chance) => {
      await live(world, chance);
      const fault = chance.pick(faults);
      await fail(world, fault, chance.whole(1, 3));
      return [fault, await syncs(world), await syncs(world)];
    },
  ],
  races: [
    2,
    async (world, chance, { other }) => {
      await live(world, chance);
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
      return foreseen(...ended);
    },
  ],
  waits: [
    2,
    async (world, chance) => {
      await live(world, chance);
      world.purser.clock.advance(chance.pick([2 * minute, 7 * hour, 26 * hour]));
      await handlerOf(world.purser.handlers, bankingJobs.schedule)(null, {
        id: "job",
        attempt: 1,
        last: false,
      });
      return world.purser.drain();
    },
  ],
  breaksOff: [
    2,
    async (world, chance) => {
      await live(world, chance);
      world.mood.breaksOffAt = chance.whole(1, 8);
      const outcome = await syncs(world);
      world.mood.breaksOffAt = null;
      return outcome;
    },
  ],
  fallsBack: [
    2,
    async (world, chance) => {
      await live(world, chance);
      const { purser, organizationId } = world;
      const way = chance.pick(["always", "once"]);
      await purser.db.execute(sql`INSERT INTO broken VALUES (${organizationId}, ${way})`);
      const outcome = await syncs(world);
      await purser.db.execute(sql`DELETE FROM broken`);
      if (outcome === "ok" && way === "always") throw new Error("It could not succeed");
      return outcome;
    },
  ],
  dies: [2, dies],
  isLinkedAgain: [
    2,
    async (world, chance) => {
      if (chance.happens(0.6)) await live(world, chance);
      const before = world.connectionId;
      const isRenewal = chance.happens(0.5);
      await link(world, isRenewal ? before : undefined);
      await world.purser.drain();
      if (!isRenewal) foreseen(await sync(world, { ...world, connectionId: before }));
      if (!isRenewal && chance.happens(0.3))
        await banking(world).connections.disconnect({ teamId: world.organizationId, connectionId: before });
      return [isRenewal, await mustSync(world)];
    },
  ],
  losesConsent: [
    1,
    async (world, chance) => {
      const { platform } = world.purser;
      const isRevoked = chance.happens(0.5);
      const control = isRevoked ? controls.revokeConsent : controls.requireReauthorization;
      await atBank(world, async (place) => {
        await controls.clearFaults(place);
        await control(platform, place);
      });
      const refused = await sync(world);
      if (refused !== "REAUTHORIZATION_REQUIRED") throw new Error(`It ended with ${refused}`);
      if (isRevoked) await link(world, world.connectionId);
      else await atBank(world, (place) => controls.repairConsent(platform, place));
      await world.purser.drain();
      return [refused, await mustSync(world)];
    },
  ],
  endsNewest: [1, endsNewest],
};

/** A process stops in the middle, its sync is superseded, and it resumes after others have continued. */
async function dies(world: World, chance: RandomSource, { look }: Parts): Promise<unknown> {
  await live(world, chance);
  const { purser } = world;
  const { come, open } = hold(world);
  const dead = sync(world);
  await come;
  const isFollowed = chance.happens(0.5);
  const next = isFollowed ? sync(world) : null;
  purser.clock.advance(6 * minute);
  const schedule = () =>
    handlerOf(purser.handlers, bankingJobs.schedule)(null, { id: "job", attempt: 1, last: false });
  await schedule();
  await purser.drain();
  if (next !== null) foreseen(await next);
  await look();
  if (chance.happens(0.5)) await live(world, chance);
  purser.clock.advance(hour);
  await schedule();
  await purser.drain();
  open();
  return [foreseen(await dead), await mustSync(world)];
}

/** The newest connection ends, and an earlier one takes over the accounts. */
async function endsNewest(world: World): Promise<unknown> {
  const { organizationId: teamId, connectionId } = world;
  const { connections } = await ledgerOf(world);
  const earlier = connections.findLast(({ id, status }) => id !== connectionId && status === "ACTIVE");
  if (earlier === undefined) return syncs(world);
  await banking(world).connections.disconnect({ teamId, connectionId });
  use(world, earlier.id, world.connections.get(earlier.id)!);
  await world.purser.drain();
  return mustSync(world);
}
