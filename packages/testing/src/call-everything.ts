import { sql } from "drizzle-orm";
import { appRouter } from "@purser/router";
import { callProcedure, problemOf } from "./call.ts";
import type { TestPurser } from "./purser.ts";
import { exampleInputs } from "./example-inputs.ts";
import { type Scene, createScene } from "./scene.ts";

/**
 * Calls every procedure, by somebody who may, so that each does what it is there for; then runs every job that this
 * has brought about, and every one that runs on a schedule. Gives how many that were. Throws where one fails, or nobody
 * may call it.
 */
export async function callEverything(purser: TestPurser): Promise<{ calls: number; jobs: number }> {
  const scenes = new Map<string, Scene>();
  const procedures = queriesFirst();
  for (const procedure of procedures) {
    const area = procedure.replace(/^sandbox\./, "").split(".")[0]!;
    const known = scenes.get(area);
    if (known !== undefined && (await isCalled(purser, procedure, known))) continue;
    // What was called before has changed the scene beyond what this one can be called in.
    const scene = await createScene(purser, procedure);
    scenes.set(area, scene);
    if (!(await isCalled(purser, procedure, scene))) throw new Error(`Nobody may call ${procedure}`);
  }
  const scheduled = await purser.db.execute<{ name: string }>(sql`SELECT name FROM pgboss.schedule`);
  for (const { name } of scheduled) {
    const { handle } = purser.handlers.find(({ definition }) => definition.name === name)!;
    await handle(null as never, { id: crypto.randomUUID(), attempt: 1, last: true });
  }
  const jobs = scheduled.length + (await purser.drain({ ahead: true }));
  return { calls: procedures.length, jobs };
}

/** They change nothing, so one scene does for all of an area. */
function queriesFirst(): string[] {
  const procedures = appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>;
  const ofType = (type: string) =>
    Object.keys(procedures).filter((name) => procedures[name]!._def.type === type);
  return [...ofType("query"), ...ofType("mutation")];
}

/** Whether somebody of the scene may call it, and has. */
async function isCalled(purser: TestPurser, procedure: string, scene: Scene): Promise<boolean> {
  const { owner, administrator } = scene.people;
  for (const person of [owner, administrator, scene.invitedPerson]) {
    try {
      await callProcedure(purser.as(person), procedure, exampleInputs[procedure]!(scene));
      return true;
    } catch (error) {
      if (problemOf(error).status >= 500) throw error;
    }
  }
  return false;
}
