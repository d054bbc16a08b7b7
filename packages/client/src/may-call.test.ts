// @module-tag slow
import {
  type Person,
  type Scene,
  type TestPurser,
  callProcedure,
  changedScenes,
  createTestPurser,
  endStream,
  exampleInputs,
  problemOf,
  sharedScenes,
} from "@purser/testing";
import { appRouter, proceduresOf } from "@purser/router";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ProcedureName, mayCall } from "./may-call.ts";

let purser: TestPurser;
let sceneOfArea: ReturnType<typeof sharedScenes>;
let onChangedScene: ReturnType<typeof changedScenes>;

beforeAll(async () => {
  purser = await createTestPurser();
  sceneOfArea = sharedScenes(purser);
  onChangedScene = changedScenes(purser);
});
afterAll(() => purser.close());

const ofMembers = [...proceduresOf(appRouter)].flatMap(([name, { type, meta }]) =>
  ["member", "memberUser", "owner", "ownerOrKey", "administrator"].includes(meta!.access)
    ? [{ name: name as ProcedureName, type }]
    : [],
);

async function outcomeOf(name: ProcedureName, person: Person, scene: Scene): Promise<string> {
  try {
    await endStream(await callProcedure(purser.as(person), name, exampleInputs[name]!(scene)));
    return "ok";
  } catch (error) {
    return problemOf(error).code;
  }
}

describe("mayCall", () => {
  it.each(ofMembers)("tells who may call $name as the service decides", async ({ name, type }) => {
    for (const [role, caller] of [
      ["MEMBER", "member"],
      ["OWNER", "owner"],
    ] as const) {
      const may = mayCall(role, name);
      const attempt = (scene: Scene) => outcomeOf(name, scene.people[caller], scene);
      // Queries and refused calls change nothing, so those of an area share one scene.
      const outcome =
        type === "mutation" && may
          ? await onChangedScene(name, attempt, (code) => code === "ok")
          : await attempt(await sceneOfArea(name));
      // Any other refusal would tell nothing about the role.
      expect({ role, outcome }).toEqual({ role, outcome: may ? "ok" : "FORBIDDEN" });
    }
  });
});
