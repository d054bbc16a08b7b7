import { eventTypes } from "@purser/core";
import { appRouter, proceduresOf } from "@purser/router";
import { allowedCaller, recordedEvents } from "@purser/router/testing";
import {
  type Person,
  type Scene,
  type TestPurser,
  callProcedure,
  createScene,
  createTestPurser,
  exampleInputs,
  isNightly,
  withBankTransactions,
} from "@purser/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ProcedureName } from "./may-call.ts";
import { staleQueries } from "./stale-queries.ts";

describe("staleQueries", () => {
  it("names queries only, for every type of event", () => {
    const procedures = proceduresOf(appRouter);
    for (const type of eventTypes) {
      const stale = staleQueries(type) ?? [];
      expect(stale.filter((name) => procedures.get(name)?.type !== "query")).toEqual([]);
    }
  });

  it("names everything for a type that it does not know", () => {
    expect([staleQueries("invoice.paid"), staleQueries("toString"), staleQueries("")]).toEqual([
      null,
      null,
      null,
    ]);
  });
});

/** Reads every query before and after every mutation, so it is nightly's. */
describe.runIf(isNightly)("what the events of a mutation make stale", () => {
  let purser: TestPurser;

  beforeAll(async () => {
    purser = await createTestPurser();
  });
  afterAll(() => purser.close());

  const procedures = [...proceduresOf(appRouter)];
  const queries = procedures.flatMap(([name, { type, meta }]) =>
    type === "query" && meta!.access !== "administrator" ? [name as ProcedureName] : [],
  );
  // Nothing tells of the change of another mutation: `mutationsWithoutEvent` has the reason for each.
  const mutations = procedures.flatMap(([name, { meta }]) =>
    name in recordedEvents ? [{ name, access: meta!.access }] : [],
  );

  /** Inputs beside the examples: queries whose answers depend on more, and mutations that change more. */
  const further: Partial<Record<ProcedureName, (scene: Scene) => object>> = {
    "cards.policies.backtest": ({ organizationId, policyId }) => ({ organizationId, policyId }),
    "cards.reports.spending": ({ organizationId }) => ({
      organizationId,
      groupBy: "card",
      from: new Date("2026-03-01T00:00:00.000Z"),
      to: new Date("2026-03-31T23:59:59.999Z"),
    }),
    // The purchase of the scene would be declined.
    "cards.policies.update": ({ organizationId, policyId }) => ({
      organizationId,
      policyId,
      spendingLimit: 1000,
    }),
  };
  const inputsOf = (name: string, scene: Scene) =>
    [exampleInputs[name]!, further[name as ProcedureName]].flatMap((input) => input?.(scene) ?? []);

  /** What a person reads with each query, as JSON. A refusal is an answer too. */
  async function readAll(person: Person, scene: Scene): Promise<Map<ProcedureName, string>> {
    const read = new Map<ProcedureName, string>();
    for (const name of queries) {
      const calls = inputsOf(name, scene).map((input) =>
        callProcedure(purser.as(person), name, input).catch(String),
      );
      read.set(name, JSON.stringify(await Promise.all(calls)));
    }
    return read;
  }

  it.each(mutations)("covers every query whose answer changes with $name", async ({ name, access }) => {
    // With cards, because a role decides which of them its member sees.
    const scene = name.startsWith("organizations.")
      ? await withBankTransactions(purser, await createScene(purser, "cards.get"))
      : await createScene(purser, name);
    await purser.drain();
    const { people, organizationId } = scene;
    const eventsOf = () => purser.as(people.owner).events.list({ organizationId });
    const known = new Set((await eventsOf()).map(({ id }) => id));
    const readers = [people.owner, people.member, scene.otherMember];
    const before = await Promise.all(readers.map((reader) => readAll(reader, scene)));
    const caller = purser.as(allowedCaller(access, scene));
    await callProcedure(caller, name, inputsOf(name, scene).at(-1));
    await purser.drain();
    const written = (await eventsOf()).filter(({ id }) => !known.has(id));
    const types = written.map(({ type }) => type);
    expect(types.toSorted()).toEqual(recordedEvents[name]!.toSorted());
    const stale = types.map(staleQueries);
    // Everything is read again.
    if (stale.includes(null)) return;
    for (const [index, reader] of readers.entries()) {
      const after = await readAll(reader, scene);
      const changed = queries.filter((query) => after.get(query) !== before[index]!.get(query));
      expect({ types, missing: changed.filter((query) => !stale.flat().includes(query)) }).toEqual({
        types,
        missing: [],
      });
    }
  });
});
