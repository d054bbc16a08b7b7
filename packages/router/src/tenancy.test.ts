import { idPrefixes } from "@purser/core";
import {
  type Scene,
  type TestPurser,
  callProcedure,
  createScene,
  createTestPurser,
  exampleInputs,
  problemOf,
  withBankTransactions,
} from "@purser/testing";
import type { Caller } from "@purser/platform";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appRouter } from "./app-router.ts";
import { restRoutes } from "./rest.ts";

/**
 * The access table tests strangers. These tests call as an owner of one organization, with one identifier replaced by
 * that of another organization: every identifier field of every procedure.
 */
let purser: TestPurser;
let ownScene: Scene;
let foreignScene: Scene;

beforeAll(async () => {
  purser = await createTestPurser();
  [ownScene, foreignScene] = [await wholeScene(), await wholeScene()];
});
afterAll(() => purser.close());

/** Creates a scene with all resources. The subscription and the quarantined data belong to organizations of their own. */
async function wholeScene(): Promise<Scene> {
  const { subscriptionId } = await createScene(purser, "billing.portal");
  const { quarantineId } = await createScene(purser, "banking.quarantine.resolve");
  const cards = await withBankTransactions(purser, await createScene(purser, "cards.get"));
  const { webhookEndpoints } = purser.as(cards.people.owner);
  const endpoint = { organizationId: cards.organizationId, url: "http://127.0.0.1:9/purser" };
  const { id: endpointId } = await webhookEndpoints.create(endpoint);
  const { id: deliveryId } = await webhookEndpoints.test({ id: endpointId });
  const { organizationId } = cards;
  const [event] = await purser.as(cards.people.owner).events.list({ organizationId, limit: 1 });
  return { ...cards, eventId: event!.id, endpointId, deliveryId, subscriptionId, quarantineId };
}

/** The resource of a scene for each field. Fields that are missing here hold external identifiers, without an organization. */
const named: Record<string, (scene: Scene) => string> = {
  organizationId: (scene) => scene.organizationId,
  teamId: (scene) => scene.organizationId,
  membershipId: (scene) => scene.otherMembershipId,
  invitationId: (scene) => scene.invitationId,
  connectionId: (scene) => scene.connectionId,
  accountId: (scene) => scene.accountId,
  intoAccountId: (scene) => scene.accountId,
  mergeableAccountId: (scene) => scene.accountId,
  fundingAccountId: (scene) => scene.accountId,
  bankTransactionId: (scene) => scene.bankTransactionId,
  policyId: (scene) => scene.policyId,
  cardsOfPolicyId: (scene) => scene.policyId,
  cardId: (scene) => scene.cardId,
  transactionId: (scene) => scene.cardTransactionId,
  assignedToId: (scene) => scene.people.member.userId,
  endpointId: (scene) => scene.endpointId,
  userId: (scene) => scene.people.owner.userId,
  subscriptionId: (scene) => scene.subscriptionId,
};

/** The resource that `id` names, by procedure. */
const namedById: Record<string, (scene: Scene) => string> = {
  "organizations.members.updateRole": named["membershipId"]!,
  "organizations.invitations.get": named["invitationId"]!,
  "organizations.invitations.accept": named["invitationId"]!,
  "keys.revoke": (scene) => scene.keyId,
  "webhookEndpoints.update": (scene) => scene.endpointId,
  "webhookEndpoints.delete": (scene) => scene.endpointId,
  "webhookEndpoints.rotateSecret": (scene) => scene.endpointId,
  "webhookEndpoints.test": (scene) => scene.endpointId,
  "events.get": (scene) => scene.eventId,
  "webhookEndpoints.deliveries.get": (scene) => scene.deliveryId,
  "webhookEndpoints.deliveries.redeliver": (scene) => scene.deliveryId,
  "banking.quarantine.resolve": (scene) => scene.quarantineId,
  "billing.cancel": named["subscriptionId"]!,
  "billing.resume": named["subscriptionId"]!,
};
const organizations = /^organizations\.(get|update|delete|settings\.\w+|audit\.list)$/;

/** Procedures for administrators, who may access every organization. */
const administrative = /^billing\.(sync|events\.\w+)$/;

/** For inputs that take one of two fields, this removes the one of the example. */
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

/** Merchant categories belong to no organization. */
const lists = restRoutes(appRouter)
  .filter(({ procedure, input }) => "after" in input.shape && !administrative.test(procedure))
  .map(({ procedure }) => procedure)
  .filter((procedure) => procedure !== "cards.merchantCategories.list");

function thingOf(procedure: string) {
  return organizations.test(procedure) ? named["organizationId"] : namedById[procedure];
}

describe("an identifier of another organization", () => {
  it.each(cases)("is unknown to $procedure as $field", async ({ procedure, field, thing }) => {
    const example = { ...exampleInputs[procedure]!(ownScene), ...either[`${procedure} ${field}`] };
    const foreign = await answerTo(procedure, { ...example, [field]: thing(foreignScene) });
    expect(foreign).toMatch(/_NOT_FOUND|^FORBIDDEN|^null$/);
    expect(foreign).toBe(
      await answerTo(procedure, { ...example, [field]: neverIssued(thing(foreignScene)) }),
    );
  });

  it.each(cases)("is unknown to $procedure as $field with a key", async ({ procedure, field, thing }) => {
    const example = { ...exampleInputs[procedure]!(ownScene), ...either[`${procedure} ${field}`] };
    const { writeKey } = ownScene.callers;
    const foreign = await answerTo(procedure, { ...example, [field]: thing(foreignScene) }, writeKey);
    expect(foreign).toMatch(/_NOT_FOUND|^FORBIDDEN|^null$/);
    const missing = neverIssued(thing(foreignScene));
    expect(foreign).toBe(await answerTo(procedure, { ...example, [field]: missing }, writeKey));
  });

  // Another person's list is 403, and so is what is not for a key. Only the bank knows its id of a transaction.
  const beforeRole = cases.filter(({ field }) => field !== "userId" && field !== "bankTransactionId");
  it.each(beforeRole)(
    "is unknown to $procedure as $field before the role is looked at",
    async ({ procedure, field, thing }) => {
      const example = { ...exampleInputs[procedure]!(ownScene), ...either[`${procedure} ${field}`] };
      const roles =
        procedure === "organizations.invitations.accept" ? [] : (["readKey", "writeKey"] as const);
      for (const role of ["member", ...roles] as const)
        for (const id of [thing(foreignScene), neverIssued(thing(foreignScene))]) {
          const answer = await answerTo(procedure, { ...example, [field]: id }, ownScene.callers[role]);
          expect(`${role}: ${answer}`).toMatch(/_NOT_FOUND|: null$/);
        }
    },
  );

  it.each(lists)("as the cursor of %s lists only the caller's own items", async (procedure) => {
    const own = await idsIn(ownScene, procedure);
    const isQuarantine = procedure === "banking.quarantine.list";
    const [after] = isQuarantine ? [foreignScene.quarantineId] : await idsIn(foreignScene, procedure);
    expect(after).toEqual(expect.any(String));
    const listed = await idsIn(ownScene, procedure, { after }).catch(
      (error: unknown) => problemOf(error).code,
    );
    if (typeof listed === "string") expect(listed).toBe("VALIDATION_FAILED");
    else expect(listed.filter((id) => !own.includes(id))).toEqual([]);
  });
});

async function idsIn(scene: Scene, procedure: string, more: object = {}): Promise<string[]> {
  const input = { ...exampleInputs[procedure]!(scene), ...more };
  const items = await callProcedure(purser.as(scene.people.owner), procedure, input);
  return (items as { id?: string; connectionId: string }[]).map(({ id, connectionId }) => id ?? connectionId);
}

it("covers every field that could name a resource", () => {
  const covered = new Set(cases.map(({ field }) => field));
  const external = new Set([
    "providerId",
    "consentId",
    "networkId",
    "variantId",
    "planId",
    "governmentId",
    "lastEventId",
  ]);
  const fields = restRoutes(appRouter)
    .filter(({ procedure }) => !administrative.test(procedure))
    .flatMap(({ input }) => Object.keys(input.shape))
    .filter((field) => /Id$|^id$/.test(field) && !external.has(field));
  const missing = [...new Set(fields)].filter((field) => !covered.has(field));
  expect(missing, "Add the resource that the field names to `named`, or a vendor's id to `external`").toEqual(
    [],
  );
});

it("covers every procedure whose input has an id", () => {
  const withId = restRoutes(appRouter)
    .filter(({ procedure, input }) => "id" in input.shape && !administrative.test(procedure))
    .map(({ procedure }) => procedure);
  const missing = withId.filter((procedure) => thingOf(procedure) === undefined);
  expect(missing, "Add the resource that `id` names to `namedById`").toEqual([]);
});

/** Returns the output of a call, or the code and message of its refusal. */
async function answerTo(
  procedure: string,
  input: unknown,
  caller: Caller = ownScene.people.owner,
): Promise<string> {
  try {
    return JSON.stringify(await callProcedure(purser.as(caller), procedure, input)) ?? "void";
  } catch (error) {
    const { code, message } = problemOf(error);
    return `${code}: ${message}`;
  }
}

function neverIssued(id: string): string {
  const prefix = idPrefixes.find((one) => id.startsWith(`${one}_`));
  return prefix === undefined ? id.replaceAll(/\d/g, "0") : purser.unknownId(prefix);
}
