import {
  type TestPurser,
  callProcedure,
  createScene,
  createTestPurser,
  exampleInputs,
  refusalOf,
} from "@purser/testing";
import { appRouter, proceduresOf } from "@purser/router";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ProcedureName, mayCall } from "./may-call.ts";

let purser: TestPurser;

beforeAll(async () => {
  purser = await createTestPurser();
});
afterAll(() => purser.close());

const ofMembers = [...proceduresOf(appRouter)].flatMap(([name, { meta }]) =>
  ["member", "owner", "administrator"].includes(meta!.access) ? [name as ProcedureName] : [],
);

describe("mayCall", () => {
  it.each(ofMembers)("tells who may call %s as the service decides", async (name) => {
    const scene = await createScene(purser, name);
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
