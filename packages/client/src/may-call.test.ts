import {
  type TestPurser,
  callProcedure,
  createScene,
  createTestPurser,
  exampleInputs,
  refusalOf,
  sharedScenes,
} from "@purser/testing";
import { appRouter, proceduresOf } from "@purser/router";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ProcedureName, mayCall } from "./may-call.ts";

let purser: TestPurser;
let sceneOfArea: ReturnType<typeof sharedScenes>;

beforeAll(async () => {
  purser = await createTestPurser();
  sceneOfArea = sharedScenes(purser);
});
afterAll(() => purser.close());

const ofMembers = [...proceduresOf(appRouter)].flatMap(([name, { type, meta }]) =>
  ["member", "owner", "administrator"].includes(meta!.access) ? [{ name: name as ProcedureName, type }] : [],
);

describe("mayCall", () => {
  it.each(ofMembers)("tells who may call $name as the service decides", async ({ name, type }) => {
    // Queries change nothing, so those of an area share one scene.
    const scene = await (type === "mutation" ? createScene(purser, name) : sceneOfArea(name));
    for (const [role, person] of [
      ["MEMBER", scene.people.member],
      ["OWNER", scene.people.owner],
    ] as const) {
      const call = callProcedure(purser.as(person), name, exampleInputs[name]!(scene));
      const refusal = await refusalOf(call.then(() => Promise.reject(new Error("It was allowed"))));
      expect([role, mayCall(role, name)]).toEqual([role, refusal !== "FORBIDDEN"]);
    }
  });
});
