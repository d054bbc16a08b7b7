import type { IdPrefix } from "@purser/core";
import {
  type Scene,
  type TestPurser,
  callProcedure,
  createScene,
  createTestPurser,
  exampleInputs,
  problemOf,
} from "@purser/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appRouter } from "./app-router.ts";
import { restRoutes } from "./rest.ts";

/**
 * The access table is about strangers. Here an owner calls about their own organization, and names one thing of
 * another organization among their own: each identifier that each procedure takes, in its turn.
 */
let purser: TestPurser;
let mine: Scene;
let theirs: Scene;

beforeAll(async () => {
  purser = await createTestPurser();
  [mine, theirs] = [await wholeScene(), await wholeScene()];
});
afterAll(() => purser.close());

/** Everything that there may be; the subscription is that of a third organization. */
async function wholeScene(): Promise<Scene> {
  const { subscriptionId } = await createScene(purser, "billing.portal");
  return { ...(await createScene(purser, "cards.get")), subscriptionId };
}

/** Which thing of a scene a field names. Whatever is not here was minted elsewhere, and belongs to nobody. */
const named: Record<string, (scene: Scene) => string> = {
  organizationId: (scene) => scene.organizationId,
  teamId: (scene) => scene.organizationId,
  membershipId: (scene) => scene.otherMembershipId,
  invitationId: (scene) => scene.invitationId,
  connectionId: (scene) => scene.connectionId,
  accountId: (scene) => scene.accountId,
  fundingAccountId: (scene) => scene.accountId,
  bankTransactionId: (scene) => scene.bankTransactionId,
  policyId: (scene) => scene.policyId,
  cardId: (scene) => scene.cardId,
  transactionId: (scene) => scene.cardTransactionId,
  assignedToId: (scene) => scene.people.member.userId,
  userId: (scene) => scene.people.owner.userId,
  subscriptionId: (scene) => scene.subscriptionId,
};

/** What bears no name of its own: `id`, by the procedure. */
const namedById: Record<string, (scene: Scene) => string> = {
  "organizations.members.updateRole": named["membershipId"]!,
  "organizations.invitations.get": named["invitationId"]!,
  "organizations.invitations.accept": named["invitationId"]!,
  "billing.cancel": named["subscriptionId"]!,
  "billing.resume": named["subscriptionId"]!,
};
const organizations = /^organizations\.(get|update|delete|settings\.\w+|audit\.list)$/;

/** Administrators' own, for whom there are no other organizations. */
const administrative = /^billing\.(sync|events\.\w+)$/;

/** Where one thing or another is named, the example names the other. */
const either: Record<string, Record<string, unknown>> = {
  "cards.policies.backtest policyId": { policy: undefined },
  "sandbox.cards.clear cardId": { transactionId: undefined, amount: 1, merchant: { name: "Shop" } },
  "sandbox.cards.refund cardId": { transactionId: undefined, amount: 1, merchant: { name: "Shop" } },
};

const cases = restRoutes(appRouter)
  .filter(({ procedure }) => !administrative.test(procedure))
  .flatMap(({ procedure, input }) => Object.keys(input.shape).map((field) => ({ procedure, field })))
  .flatMap(({ procedure, field }) => {
    const thing = field === "id" ? thingOf(procedure) : named[field];
    return thing === undefined ? [] : [{ procedure, field, thing }];
  });

const lists = restRoutes(appRouter)
  .filter(({ procedure, input }) => "after" in input.shape && !administrative.test(procedure))
  .map(({ procedure }) => procedure);

function thingOf(procedure: string) {
  return organizations.test(procedure) ? named["organizationId"] : namedById[procedure];
}

describe("an identifier of another organization's", () => {
  it.each(cases)("is none that $procedure would know as $field", async ({ procedure, field, thing }) => {
    const example = { ...exampleInputs[procedure]!(mine), ...either[`${procedure} ${field}`] };
    const foreign = await answerTo(procedure, { ...example, [field]: thing(theirs) });
    expect(foreign).toMatch(/_NOT_FOUND|^FORBIDDEN|^null$/);
    expect(foreign).toBe(await answerTo(procedure, { ...example, [field]: neverIssued(thing(theirs)) }));
  });

  it.each(lists)("begins no list of %s anywhere but among what is one's own", async (procedure) => {
    const own = await idsIn(mine, procedure);
    const [after] = await idsIn(theirs, procedure);
    const listed = await idsIn(mine, procedure, { after }).catch((error: unknown) => problemOf(error).code);
    if (typeof listed === "string") expect(listed).toBe("VALIDATION_FAILED");
    else expect(listed.filter((id) => !own.includes(id))).toEqual([]);
  });
});

async function idsIn(scene: Scene, procedure: string, more: object = {}): Promise<string[]> {
  const input = { ...exampleInputs[procedure]!(scene), ...more };
  const items = await callProcedure(purser.as(scene.people.owner), procedure, input);
  return (items as { id: string }[]).map(({ id }) => id);
}

it("looks at every field that could name something", () => {
  const looked = new Set(cases.map(({ field }) => field));
  const minted = new Set(["providerId", "consentId", "networkId", "variantId", "planId"]);
  const fields = restRoutes(appRouter)
    .filter(({ procedure }) => !administrative.test(procedure))
    .flatMap(({ input }) => Object.keys(input.shape))
    .filter((field) => /Id$|^id$/.test(field) && !minted.has(field));
  expect([...new Set(fields)].filter((field) => !looked.has(field))).toEqual([]);
});

/** The code and the sentence of a refusal, otherwise the output. */
async function answerTo(procedure: string, input: unknown): Promise<string> {
  try {
    return JSON.stringify(await callProcedure(purser.as(mine.people.owner), procedure, input)) ?? "void";
  } catch (error) {
    const { code, message } = problemOf(error);
    return `${code}: ${message}`;
  }
}

function neverIssued(id: string): string {
  const [, prefix] = /^([a-z]+)_/.exec(id) ?? [];
  return prefix === undefined ? id.replaceAll(/\d/g, "0") : purser.unknownId(prefix as IdPrefix);
}
