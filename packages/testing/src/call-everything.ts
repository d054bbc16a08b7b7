import { appRouter, proceduresOf } from "@purser/router";
import { registeredMetrics } from "@purser/service";
import { sql } from "drizzle-orm";
import { callProcedure, endStream, outcomeOf } from "./call.ts";
import { exampleInputs } from "./example-inputs.ts";
import type { TestPurser } from "./purser.ts";
import { type Scene, createScene } from "./scene.ts";

/**
 * Calls every procedure as a person who may, and reads every gauge. Then sends webhooks and runs every scheduled job and
 * every job that the calls enqueued. Returns the number of calls and jobs. Throws if one fails, or if no person of the scene
 * may call a procedure.
 */
export async function callEverything(purser: TestPurser): Promise<{ calls: number; jobs: number }> {
  const scenes = new Map<string, Scene>();
  const procedures = queriesFirst();
  for (const procedure of procedures) {
    const area = procedure.replace(/^sandbox\./, "").split(".")[0]!;
    const known = scenes.get(area);
    if (known !== undefined && (await isCalled(purser, procedure, known))) continue;
    // Earlier calls changed the scene so far that this procedure refuses. Use a fresh one.
    const scene = await createScene(purser, procedure);
    scenes.set(area, scene);
    if (!(await isCalled(purser, procedure, scene)))
      throw new Error(`No person of the scene may call ${procedure}`);
  }
  // Before webhooks are sent, while events wait for them.
  for (const metric of registeredMetrics) if (metric.type === "gauge") await metric.read(purser.db);
  await purser.webhooks.drain();
  const scheduled = await purser.db.execute<{ name: string }>(sql`SELECT name FROM pgboss.schedule`);
  for (const { name } of scheduled) {
    const { handle } = purser.handlers.find(({ definition }) => definition.name === name)!;
    await handle(null as never, { id: crypto.randomUUID(), attempt: 1, last: true });
  }
  const jobs = scheduled.length + (await purser.drain({ ahead: true }));
  return { calls: procedures.length, jobs };
}

/** Queries change nothing, so all queries of an area share one scene. */
function queriesFirst(): string[] {
  const procedures = [...proceduresOf(appRouter).values()];
  const ofType = (wanted: string) => procedures.filter(({ type }) => type === wanted).map(({ name }) => name);
  return [...ofType("query"), ...ofType("subscription"), ...ofType("mutation")];
}

/** Calls the procedure as one person after the other. Returns true if one call succeeds. */
async function isCalled(purser: TestPurser, procedure: string, scene: Scene): Promise<boolean> {
  const { owner, administrator, member } = scene.people;
  for (const person of [owner, administrator, member, scene.invitedPerson]) {
    const call = callProcedure(purser.as(person), procedure, exampleInputs[procedure]!(scene));
    if ((await outcomeOf(call.then(endStream))) === "ok") return true;
  }
  return false;
}
