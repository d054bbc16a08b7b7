import { memberships, organizations } from "@purser/db";
import {
  type TestPurser,
  callProcedure,
  countWaitingForLocks,
  createScene,
  createTestPurser,
  exampleInputs,
  refusalOf,
  sharedScenes,
} from "@purser/testing";
import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appRouter } from "./app-router.ts";
import { proceduresOf } from "./procedures.ts";
import { restRoutes } from "./rest.ts";

let purser: TestPurser;
let sceneOfArea: ReturnType<typeof sharedScenes>;
beforeAll(async () => {
  purser = await createTestPurser();
  sceneOfArea = sharedScenes(purser);
});
afterAll(() => purser.close());

const areas = /^(organizations|keys|webhookEndpoints|banking|billing|cards)\./;
const mutations = new Set(
  restRoutes(appRouter)
    .filter(({ type }) => type === "mutation")
    .map(({ procedure }) => procedure),
);
const ofOwners = [...proceduresOf(appRouter)]
  .filter(
    ([name, { meta }]) =>
      areas.test(name) && mutations.has(name) && ["owner", "ownerOrKey"].includes(meta!.access),
  )
  .map(([name]) => name);

/** Those that the shared scene of their area does not suit. */
const withOwnScene = new Set(["banking.accounts.merge", "banking.connections.reconfirm", "billing.checkout"]);

/** Demotes the owner while the call waits for the organization, after the call's own check of the role. */
async function callWhileDemoted(procedure: string): Promise<unknown> {
  const scene = await (withOwnScene.has(procedure) ? createScene(purser, procedure) : sceneOfArea(procedure));
  const { organizationId, people } = scene;
  const theirs = and(
    eq(memberships.organizationId, organizationId),
    eq(memberships.userId, people.owner.userId),
  );
  let refusal: Promise<unknown>;
  await purser.db.transaction(async (transaction) => {
    await transaction
      .select()
      .from(organizations)
      .where(eq(organizations.id, organizationId))
      // Not a reference to the organization, which a new row needs: only another such lock waits.
      .for("no key update");
    refusal = refusalOf(callProcedure(purser.as(people.owner), procedure, exampleInputs[procedure]!(scene)));
    await expect.poll(() => countWaitingForLocks(purser.db)).toBe(1);
    await transaction.update(memberships).set({ role: "MEMBER", isCreator: false }).where(theirs);
  });
  const code = await refusal!;
  await purser.db.update(memberships).set({ role: "OWNER", isCreator: true }).where(theirs);
  return code;
}

describe("an owner who is demoted while a change is under way", () => {
  it.each(ofOwners)("is refused %s", async (procedure) => {
    expect(await callWhileDemoted(procedure)).toBe("FORBIDDEN");
  });

  it("no longer sees another member's card, whose status the change is", async () => {
    expect(await callWhileDemoted("cards.updateStatus")).toBe("CARD_NOT_FOUND");
  });
});
