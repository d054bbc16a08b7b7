import { type ProblemCode, idPrefixes } from "@purser/core";
import {
  type CallerRole,
  type Scene,
  type TestPurser,
  callProcedure,
  changedScenes,
  createTestPurser,
  endStream,
  exampleInputs,
  problemOf,
  callerRoles,
  sharedScenes,
} from "@purser/testing";
import type { Caller } from "@purser/platform";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appRouter } from "./app-router.ts";
import type { Meta } from "./meta.ts";
import { proceduresOf } from "./procedures.ts";
import { restRoutes } from "./rest.ts";

type Outcome = "ok" | ProblemCode;

/** The outcomes for stranger, member, owner and administrator. Anonymous callers get UNAUTHENTICATED. */
type Row = readonly [stranger: Outcome, member: Outcome, owner: Outcome, administrator: Outcome];

const anyMember = (missing: ProblemCode): Row => [missing, "ok", "ok", missing];
const ownersOnly = (missing: ProblemCode): Row => [missing, "FORBIDDEN", "ok", missing];
const administratorsOnly: Row = ["FORBIDDEN", "FORBIDDEN", "FORBIDDEN", "ok"];
const anyUser: Row = ["ok", "ok", "ok", "ok"];

/** The procedures that need no authentication. */
const open = new Set(["billing.plans.list", "cards.merchantCategories.list"]);

/** The outcome of every procedure for every role. */
const access: Record<string, Row> = {
  "me.get": anyUser,
  "events.list": anyMember("ORGANIZATION_NOT_FOUND"),
  "events.get": anyMember("ORGANIZATION_NOT_FOUND"),
  "events.feed": anyMember("ORGANIZATION_NOT_FOUND"),
  "events.stream": anyMember("ORGANIZATION_NOT_FOUND"),
  "keys.list": ownersOnly("ORGANIZATION_NOT_FOUND"),
  "keys.create": ownersOnly("ORGANIZATION_NOT_FOUND"),
  "keys.revoke": ownersOnly("API_KEY_NOT_FOUND"),
  "webhookEndpoints.list": ownersOnly("ORGANIZATION_NOT_FOUND"),
  "webhookEndpoints.create": ownersOnly("ORGANIZATION_NOT_FOUND"),
  "webhookEndpoints.update": ownersOnly("WEBHOOK_ENDPOINT_NOT_FOUND"),
  "webhookEndpoints.delete": ownersOnly("WEBHOOK_ENDPOINT_NOT_FOUND"),
  "webhookEndpoints.rotateSecret": ownersOnly("WEBHOOK_ENDPOINT_NOT_FOUND"),
  "webhookEndpoints.test": ownersOnly("WEBHOOK_ENDPOINT_NOT_FOUND"),
  "webhookEndpoints.deliveries.list": ownersOnly("ORGANIZATION_NOT_FOUND"),
  "webhookEndpoints.deliveries.get": ownersOnly("WEBHOOK_DELIVERY_NOT_FOUND"),
  "webhookEndpoints.deliveries.redeliver": ownersOnly("WEBHOOK_DELIVERY_NOT_FOUND"),
  "organizations.list": ["FORBIDDEN", "FORBIDDEN", "ok", "ok"],
  "organizations.get": anyMember("ORGANIZATION_NOT_FOUND"),
  "organizations.create": anyUser,
  "organizations.update": ownersOnly("ORGANIZATION_NOT_FOUND"),
  "organizations.delete": ownersOnly("ORGANIZATION_NOT_FOUND"),
  "organizations.members.list": anyMember("ORGANIZATION_NOT_FOUND"),
  "organizations.members.remove": ownersOnly("MEMBERSHIP_NOT_FOUND"),
  "organizations.members.updateRole": ownersOnly("MEMBERSHIP_NOT_FOUND"),
  "organizations.invitations.list": ownersOnly("ORGANIZATION_NOT_FOUND"),
  // Returns null to uninvolved callers. The procedure's own tests cover that.
  "organizations.invitations.get": anyUser,
  "organizations.invitations.create": ownersOnly("ORGANIZATION_NOT_FOUND"),
  "organizations.invitations.accept": [
    "INVITATION_NOT_FOUND",
    "FORBIDDEN",
    "FORBIDDEN",
    "INVITATION_NOT_FOUND",
  ],
  "organizations.invitations.revoke": ownersOnly("INVITATION_NOT_FOUND"),
  "organizations.subscription.get": anyMember("ORGANIZATION_NOT_FOUND"),
  "organizations.settings.get": anyMember("ORGANIZATION_NOT_FOUND"),
  "organizations.settings.update": ownersOnly("ORGANIZATION_NOT_FOUND"),
  "organizations.audit.list": ownersOnly("ORGANIZATION_NOT_FOUND"),
  "banking.institutions.list": anyUser,
  "banking.link.create": ownersOnly("ORGANIZATION_NOT_FOUND"),
  "banking.connections.list": anyMember("ORGANIZATION_NOT_FOUND"),
  "banking.connections.connect": ownersOnly("ORGANIZATION_NOT_FOUND"),
  "banking.connections.disconnect": ownersOnly("ORGANIZATION_NOT_FOUND"),
  "banking.connections.updateConsent": ownersOnly("ORGANIZATION_NOT_FOUND"),
  "banking.connections.health": anyMember("ORGANIZATION_NOT_FOUND"),
  "banking.connections.reconfirm": ownersOnly("ORGANIZATION_NOT_FOUND"),
  "banking.connections.sync": anyMember("ORGANIZATION_NOT_FOUND"),
  "banking.accounts.list": anyMember("ORGANIZATION_NOT_FOUND"),
  "banking.accounts.get": anyMember("ORGANIZATION_NOT_FOUND"),
  "banking.transactions.list": anyMember("ORGANIZATION_NOT_FOUND"),
  "banking.reports.balances": anyMember("ORGANIZATION_NOT_FOUND"),
  "banking.reports.cashflow": anyMember("ORGANIZATION_NOT_FOUND"),
  "banking.transactions.get": anyMember("ORGANIZATION_NOT_FOUND"),
  "banking.transactions.update": ownersOnly("ORGANIZATION_NOT_FOUND"),
  "banking.syncs.list": anyMember("ORGANIZATION_NOT_FOUND"),
  "banking.accounts.merge": ownersOnly("ORGANIZATION_NOT_FOUND"),
  "banking.quarantine.list": ownersOnly("ORGANIZATION_NOT_FOUND"),
  "banking.quarantine.resolve": ownersOnly("ORGANIZATION_NOT_FOUND"),
  "cards.list": anyMember("ORGANIZATION_NOT_FOUND"),
  "cards.create": ownersOnly("ORGANIZATION_NOT_FOUND"),
  // The member is the holder of the scene's card.
  "cards.get": anyMember("ORGANIZATION_NOT_FOUND"),
  "cards.update": ownersOnly("ORGANIZATION_NOT_FOUND"),
  "cards.updateStatus": anyMember("ORGANIZATION_NOT_FOUND"),
  "cards.reveal": ["ORGANIZATION_NOT_FOUND", "ok", "FORBIDDEN", "ORGANIZATION_NOT_FOUND"],
  "cards.cardholder.get": anyMember("ORGANIZATION_NOT_FOUND"),
  "cards.cardholder.update": anyMember("ORGANIZATION_NOT_FOUND"),
  "cards.policies.list": anyMember("ORGANIZATION_NOT_FOUND"),
  "cards.policies.create": ownersOnly("ORGANIZATION_NOT_FOUND"),
  "cards.policies.update": ownersOnly("ORGANIZATION_NOT_FOUND"),
  "cards.policies.check": anyMember("ORGANIZATION_NOT_FOUND"),
  "cards.policies.backtest": ownersOnly("ORGANIZATION_NOT_FOUND"),
  "cards.reports.spending": anyMember("ORGANIZATION_NOT_FOUND"),
  "cards.transactions.list": anyMember("ORGANIZATION_NOT_FOUND"),
  "cards.transactions.explain": anyMember("ORGANIZATION_NOT_FOUND"),
  "billing.plans.list": anyUser,
  "cards.merchantCategories.list": anyUser,
  "billing.checkout": ownersOnly("ORGANIZATION_NOT_FOUND"),
  "billing.portal": ownersOnly("SUBSCRIPTION_NOT_FOUND"),
  "billing.cancel": ownersOnly("SUBSCRIPTION_NOT_FOUND"),
  "billing.resume": ownersOnly("SUBSCRIPTION_NOT_FOUND"),
  "billing.sync": administratorsOnly,
  "billing.events.list": administratorsOnly,
  "billing.events.replay": administratorsOnly,
  "sandbox.billing.advance": ownersOnly("SUBSCRIPTION_NOT_FOUND"),
  "sandbox.billing.replaceCard": ownersOnly("SUBSCRIPTION_NOT_FOUND"),
  "sandbox.cards.authorize": ownersOnly("CARD_NOT_FOUND"),
  "sandbox.cards.increment": ownersOnly("CARD_TRANSACTION_NOT_FOUND"),
  "sandbox.cards.reverse": ownersOnly("CARD_TRANSACTION_NOT_FOUND"),
  "sandbox.cards.clear": ownersOnly("CARD_TRANSACTION_NOT_FOUND"),
  "sandbox.cards.expire": ownersOnly("CARD_TRANSACTION_NOT_FOUND"),
  "sandbox.cards.refund": ownersOnly("CARD_TRANSACTION_NOT_FOUND"),
  "sandbox.banking.addTransaction": ownersOnly("ORGANIZATION_NOT_FOUND"),
  "sandbox.banking.postTransaction": ownersOnly("ORGANIZATION_NOT_FOUND"),
  "sandbox.banking.changeTransaction": ownersOnly("ORGANIZATION_NOT_FOUND"),
  "sandbox.banking.removeTransaction": ownersOnly("ORGANIZATION_NOT_FOUND"),
  "sandbox.banking.revokeConsent": ownersOnly("ORGANIZATION_NOT_FOUND"),
  "sandbox.banking.expireConsent": ownersOnly("ORGANIZATION_NOT_FOUND"),
  "sandbox.banking.requireReauthorization": ownersOnly("ORGANIZATION_NOT_FOUND"),
  "sandbox.banking.repairConsent": ownersOnly("ORGANIZATION_NOT_FOUND"),
  "sandbox.banking.setFault": ownersOnly("ORGANIZATION_NOT_FOUND"),
  "sandbox.banking.clearFaults": ownersOnly("ORGANIZATION_NOT_FOUND"),
};

/** Procedures of owners that a key of the organization may call too, if it may write. */
const ownersAndKeys = /^webhookEndpoints\./;

/**
 * Where a key of the organization may do less than the scene's member: procedures of people, and the card that is the
 * member's own.
 */
const withKey: Record<string, Outcome> = {
  "me.get": "FORBIDDEN",
  "organizations.list": "FORBIDDEN",
  "organizations.create": "FORBIDDEN",
  "cards.cardholder.get": "FORBIDDEN",
  "cards.cardholder.update": "FORBIDDEN",
  "cards.get": "CARD_NOT_FOUND",
  "cards.update": "CARD_NOT_FOUND",
  "cards.updateStatus": "CARD_NOT_FOUND",
  "cards.reveal": "CARD_NOT_FOUND",
  "cards.policies.check": "CARD_NOT_FOUND",
  "cards.transactions.list": "CARD_NOT_FOUND",
  "cards.transactions.explain": "CARD_TRANSACTION_NOT_FOUND",
  "sandbox.cards.authorize": "CARD_NOT_FOUND",
  "sandbox.cards.increment": "CARD_TRANSACTION_NOT_FOUND",
  "sandbox.cards.reverse": "CARD_TRANSACTION_NOT_FOUND",
  "sandbox.cards.clear": "CARD_TRANSACTION_NOT_FOUND",
  "sandbox.cards.expire": "CARD_TRANSACTION_NOT_FOUND",
  "sandbox.cards.refund": "CARD_TRANSACTION_NOT_FOUND",
};

let purser: TestPurser;
let sceneOfArea: ReturnType<typeof sharedScenes>;
let onChangedScene: ReturnType<typeof changedScenes>;

beforeAll(async () => {
  purser = await createTestPurser();
  sceneOfArea = sharedScenes(purser);
  onChangedScene = changedScenes(purser);
});
afterAll(() => purser.close());

const routes = restRoutes(appRouter);
const procedures = [...proceduresOf(appRouter).keys()];

describe("the tables of this test", () => {
  it("have a row for every procedure, and no other", () => {
    const missing = procedures.filter((name) => !(name in access));
    expect(missing, "Add a row per procedure to `access` in access.test.ts").toEqual([]);
    expect(Object.keys(access).toSorted()).toEqual(procedures.toSorted());
  });

  it("have an example input for every procedure, and no other", () => {
    const missing = procedures.filter((name) => !(name in exampleInputs));
    expect(missing, "Add an input per procedure to packages/testing/src/example-inputs.ts").toEqual([]);
    expect(Object.keys(exampleInputs).toSorted()).toEqual(procedures.toSorted());
  });
});

/** What the declared access of a procedure means for its row. */
const meanings: Record<Meta["access"], (row: Row) => boolean> = {
  public: (row) => row === anyUser,
  user: (row) => row === anyUser,
  signedIn: (row) => row === anyUser,
  invited: (row) => !row.includes("ok"),
  member: ([stranger, member, owner]) => stranger !== "ok" && member === "ok" && owner === "ok",
  memberUser: ([stranger, member, owner]) => stranger !== "ok" && member === "ok" && owner === "ok",
  // The member is the holder of the scene's card.
  cardholder: ([stranger, member, owner]) => stranger !== "ok" && member === "ok" && owner === "ok",
  holder: ([stranger, member, owner]) => stranger !== "ok" && member === "ok" && owner === "FORBIDDEN",
  owner: ([stranger, member, owner]) => stranger !== "ok" && member === "FORBIDDEN" && owner === "ok",
  ownerOrKey: ([stranger, member, owner]) => stranger !== "ok" && member === "FORBIDDEN" && owner === "ok",
  ownerOrSelf: ([stranger, member, owner]) => stranger !== "ok" && member === "FORBIDDEN" && owner === "ok",
  administrator: (row) => row === administratorsOnly,
};

describe("the documented access", () => {
  it("is that of the table", () => {
    const wrong = [...proceduresOf(appRouter)].filter(([name, { meta }]) => {
      const row = access[name]!;
      return !meanings[meta!.access](row) || (meta!.access === "public") !== open.has(name);
    });
    // It depends on the input: a user's own organizations.
    expect(wrong.map(([name]) => name)).toEqual(["organizations.list"]);
  });
});

/** The outcomes for keys of the organization that may read and write. */
function outcomesWithKey(procedure: string): Record<"readKey" | "writeKey", Outcome> {
  const { type } = routes.find((route) => route.procedure === procedure)!;
  const [, member, owner] = access[procedure]!;
  const isForKeys = ownersAndKeys.test(procedure);
  const writeKey = withKey[procedure] ?? (isForKeys ? owner : member);
  // The card is looked up before the access of the key.
  const isLookedUp = writeKey.startsWith("CARD_");
  return { readKey: (type !== "mutation" && !isForKeys) || isLookedUp ? writeKey : "FORBIDDEN", writeKey };
}

describe("the documented errors", () => {
  it("have every refusal of the tables", () => {
    const undocumented = [...proceduresOf(appRouter)].flatMap(([name, { meta }]) => {
      const documented = new Set<string>(["ok", "UNAUTHENTICATED", ...(meta!.errors ?? [])]);
      const outcomes = [...access[name]!, ...Object.values(outcomesWithKey(name))];
      return outcomes.filter((outcome) => !documented.has(outcome)).map((code) => `${name}: ${code}`);
    });
    expect([...new Set(undocumented)]).toEqual([]);
  });

  it("say which procedures are for people alone, and which of owners for keys too", () => {
    const declared = [...proceduresOf(appRouter)].map(([name, { meta }]) => [name, meta!.access] as const);
    const among = (...accesses: Meta["access"][]) =>
      declared.flatMap(([name, own]) => (accesses.includes(own) ? [name] : []));
    expect(among("user", "memberUser")).toEqual(
      among("user", "memberUser", "signedIn", "member").filter((name) => withKey[name] === "FORBIDDEN"),
    );
    expect(among("ownerOrKey")).toEqual(
      among("owner", "ownerOrKey").filter((name) => ownersAndKeys.test(name)),
    );
  });
});

const testable = procedures.filter((name) => name in access && name in exampleInputs);

describe.each(testable)("%s", (procedure) => {
  const [stranger, member, owner, administrator] = access[procedure]!;
  const { type } = routes.find((route) => route.procedure === procedure)!;
  const expected: Record<CallerRole, Outcome> = {
    anonymous: open.has(procedure) ? "ok" : "UNAUTHENTICATED",
    stranger,
    ...outcomesWithKey(procedure),
    member,
    owner,
    administrator,
  };

  it("answers every role as the access table requires", async () => {
    const codeOf = async (role: CallerRole, scene: Scene) => {
      const caller = role === "anonymous" ? null : scene.callers[role];
      return (await attempt(caller, procedure, exampleInputs[procedure]!(scene))).code;
    };
    const changes = (role: CallerRole) => type === "mutation" && expected[role] === "ok";
    const unchanged = await sceneOfArea(procedure);
    for (const role of callerRoles.filter((one) => !changes(one)))
      expect({ role, code: await codeOf(role, unchanged) }).toEqual({ role, code: expected[role] });
    for (const role of callerRoles.filter(changes)) {
      const attemptOn = (scene: Scene) => codeOf(role, scene);
      const code = await onChangedScene(procedure, attemptOn, (result) => result === "ok");
      expect({ role, code }).toEqual({ role, code: "ok" });
    }
  });

  it("answers a stranger the same for a hidden resource as for an unknown one", async () => {
    const scene = await sceneOfArea(procedure);
    const input = exampleInputs[procedure]!(scene);
    const hidden = await attempt(scene.people.stranger, procedure, input);
    const missing = await attempt(scene.people.stranger, procedure, neverIssued(input));
    expect(missing).toEqual(hidden);
  });
});

/** Returns the input with every identifier replaced by one that was never issued. */
function neverIssued(input: Record<string, unknown>): Record<string, unknown> {
  const fields = Object.entries(input).map(([name, value]) => {
    const prefix =
      typeof value === "string" ? idPrefixes.find((one) => value.startsWith(`${one}_`)) : undefined;
    return [name, prefix ? purser.unknownId(prefix) : value];
  });
  return Object.fromEntries(fields);
}

async function attempt(
  caller: Caller | null,
  procedure: string,
  input: unknown,
): Promise<{ code: Outcome; sentence?: string }> {
  try {
    await endStream(await callProcedure(purser.as(caller), procedure, input));
    return { code: "ok" };
  } catch (error) {
    const { code, message } = problemOf(error);
    return { code, sentence: message };
  }
}
