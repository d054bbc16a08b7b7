// @module-tag slow
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type EventType, eventTypes } from "@purser/core";
import {
  auditEntries,
  bankAccounts,
  bankConsents,
  cardholders,
  events,
  memberships,
  webhookEndpoints,
} from "@purser/db";
import type { Event } from "@purser/events";
import { type Caller, sealedIn, unseal } from "@purser/platform";
import { openEventData } from "@purser/platform/events";
import {
  type Scene,
  type TestPurser,
  callProcedure,
  createScene,
  createTestPurser,
  distributedDatabaseUrl,
  exampleInputs,
  outcomeOf,
  refusalOf,
} from "@purser/testing";
import { type Column, asc, desc, eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appRouter } from "./app-router.ts";
import type { Meta } from "./meta.ts";
import { proceduresOf } from "./procedures.ts";
import {
  allowedCaller,
  eventVariants,
  eventsOfRepeats,
  eventsWithoutMutation,
  mutationsWithoutAudit,
  mutationsWithoutEvent,
  recordedEvents,
} from "./testing/recorded-events.ts";

let purser: TestPurser;
/** What must never be in an event: each secret that a call returned, and those that the database keeps. */
const secrets = new Set<string>();

beforeAll(async () => {
  purser = await createTestPurser();
});
afterAll(() => purser.close());

const mutations = [...proceduresOf(appRouter)].flatMap(([name, { type, meta }]) =>
  type === "mutation" ? [{ procedure: name, access: meta!.access }] : [],
);

describe("the tables of this test", () => {
  it("have every mutation once, and nothing else", () => {
    const named = [...Object.keys(recordedEvents), ...Object.keys(mutationsWithoutEvent)];
    const missing = mutations.filter(({ procedure }) => !named.includes(procedure));
    expect(
      missing,
      "testing/recorded-events.ts: add the mutation to `recordedEvents`, or to `mutationsWithoutEvent` with the reason",
    ).toEqual([]);
    expect(named.toSorted()).toEqual(mutations.map(({ procedure }) => procedure).toSorted());
    const others = [
      ...Object.keys(eventsOfRepeats),
      ...Object.keys(mutationsWithoutAudit),
      ...eventVariants.map(({ procedure }) => procedure),
    ];
    expect(others.filter((name) => !named.includes(name))).toEqual([]);
  });

  it("have every type of event: from a mutation, or with the test that shows it", () => {
    const written = new Set(
      [...Object.values(recordedEvents), ...eventVariants.map(({ types }) => types)].flat(),
    );
    const expected = eventTypes.filter((type) => !written.has(type));
    expect(Object.keys(eventsWithoutMutation).toSorted()).toEqual(expected.toSorted());
    for (const [type, file] of Object.entries(eventsWithoutMutation))
      expect(readFileSync(join(import.meta.dirname, "../..", file), "utf8"), file).toContain(`"${type}"`);
  });
});

describe.each(mutations)("$procedure", ({ procedure, access }) => {
  it("writes its audit entry and the events of the table once, and none if it is refused or changes nothing", async () => {
    const scene = await createScene(purser, procedure);
    await purser.drain();
    const input = exampleInputs[procedure]!(scene);
    const newEvents = await fromNowOn();
    const before = await auditedActions();

    for (const caller of refusedCallers(access, scene))
      expect(await outcomeOf(callProcedure(purser.as(caller), procedure, input))).not.toBe("ok");
    const caller = allowedCaller(access, scene);
    const invalid = callProcedure(purser.as(caller), procedure, { ...input, unexpected: true });
    expect(await refusalOf(invalid)).toBe("VALIDATION_FAILED");
    await purser.drain();
    expect(await newEvents()).toEqual([]);
    expect(await auditedActions()).toEqual(before);

    const call = () => callProcedure(purser.as(caller, { idempotencyKey: "once" }), procedure, input);
    const output = await call();
    addSecrets(output);
    await purser.drain();
    const written = await newEvents();
    expect(written.map(({ type }) => type)).toEqual(recordedEvents[procedure] ?? []);
    expect(new Set(written.map(({ organizationId }) => organizationId)).size).toBeLessThan(2);
    await expectReadable(scene, written);
    const audited = new Set((await auditedActions()).slice(before.length));
    expect(
      audited.has(procedure),
      "Call `audit`, or add the mutation to `mutationsWithoutAudit` with the reason",
    ).toBe(!(procedure in mutationsWithoutAudit));

    const replayed = await outcomeOf(call());
    expect(["ok", "IDEMPOTENCY_KEY_REUSED"]).toContain(replayed);
    await purser.drain();
    expect(await newEvents()).toEqual([]);

    await outcomeOf(callProcedure(purser.as(caller), procedure, input));
    await purser.drain();
    const repeated = (await newEvents()).map(({ type }) => type);
    expect(repeated, "testing/recorded-events.ts: what a second call writes is in `eventsOfRepeats`").toEqual(
      eventsOfRepeats[procedure] ?? [],
    );

    // A repeat with the key needs no access any more.
    await purser.db.delete(memberships).where(eq(memberships.userId, caller.userId));
    const former = purser.as({ ...caller, isAdministrator: false }, { idempotencyKey: "once" });
    const last = callProcedure(former, procedure, input);
    if (replayed === "ok") expect(await last).toEqual(output);
    else expect(await refusalOf(last)).toBe(replayed);
  });
});

describe("another input", () => {
  it.each(eventVariants)("of $procedure ($what) writes $types", async ({ procedure, change, types }) => {
    const scene = await createScene(purser, procedure);
    await purser.drain();
    const { access } = mutations.find((mutation) => mutation.procedure === procedure)!;
    const newEvents = await fromNowOn();
    const input = { ...exampleInputs[procedure]!(scene), ...change(scene) };
    await outcomeOf(callProcedure(purser.as(allowedCaller(access, scene)), procedure, input));
    await purser.drain();
    const written = await newEvents();
    expect(written.map(({ type }) => type)).toEqual(types);
    await expectReadable(scene, written);
  });
});

describe("the data of all these events", () => {
  it("hold no secret", async () => {
    await addStoredSecrets();
    expect(secrets.size).toBeGreaterThan(10);
    const rows = await purser.db.select().from(events);
    const leaks = rows.flatMap((row) => {
      const text = JSON.stringify(openEventData(purser.platform.settings.encryptionKeys, row));
      const found = [...secrets].filter((secret) => text.includes(secret));
      return [...found, ...(forbidden.exec(text) ?? [])].map((leak) => `${row.type}: ${leak}`);
    });
    expect(leaks).toEqual([]);
  });

  it("is sealed where it has what the tables of its subject seal", async () => {
    const numbers = (await purser.db.select().from(bankAccounts)).flatMap((row) => {
      const context = sealedIn(bankAccounts.accountNumber, [row.organizationId, row.id]);
      const { encryptionKeys } = purser.platform.settings;
      return row.accountNumber === null ? [] : [unseal(encryptionKeys, row.accountNumber, context)];
    });
    expect(numbers.length).toBeGreaterThan(0);
    const rows = await purser.db.select().from(events);
    const plain = rows.filter(({ data }) => [...numbers, ...secrets].some((text) => data.includes(text)));
    expect(plain.map(({ type }) => type)).toEqual([]);
  });
});

/** Secrets of webhooks, keys, sealed texts, and full card numbers. */
const forbidden = /whsec_[\w+/]|purser_\w{12}|"v1\.\d+\.|\b[3-6]\d{12,18}\b/;

/** Returns a function that returns the events of all organizations which are new since its last call. */
async function fromNowOn() {
  const [newest] = await purser.db
    .select({ era: events.era, transactionId: events.transactionId })
    .from(events)
    .orderBy(desc(events.era), desc(events.transactionId))
    .limit(1);
  // What is recorded from now on has this position or a later one, unless the positions are of several servers.
  const isSince =
    newest &&
    distributedDatabaseUrl === null &&
    sql`(${events.era}, ${events.transactionId}) >= (${newest.era}::int, ${newest.transactionId}::xid8)`;
  const known = new Set<string>();
  const read = async () => {
    const rows = await purser.db
      .select()
      .from(events)
      .where(isSince || undefined)
      .orderBy(asc(events.era), asc(events.transactionId), asc(events.id));
    const fresh = rows.filter(({ id }) => !known.has(id));
    for (const { id } of fresh) known.add(id);
    return fresh;
  };
  await read();
  return read;
}

/** The actions of all audit entries, the oldest first. */
async function auditedActions(): Promise<string[]> {
  const entries = await purser.db
    .select({ action: auditEntries.action })
    .from(auditEntries)
    .orderBy(asc(auditEntries.at), asc(auditEntries.id));
  return entries.map(({ action }) => action);
}

/** Callers without access: nobody, a key that only reads, and people of another organization or with too low a role. */
function refusedCallers(access: Meta["access"], { people, callers }: Scene): (Caller | null)[] {
  const always = [null, callers.readKey];
  if (access === "public" || access === "user" || access === "signedIn") return always;
  if (access === "administrator") return [...always, people.stranger, people.member, people.owner];
  const isForOwners = access === "owner" || access === "ownerOrSelf" || access === "invited";
  return [...always, people.stranger, ...(isForOwners ? [people.member] : [people.administrator])];
}

type Reader = (scene: Scene, event: Event) => Promise<object | null | undefined>;

/** How an owner reads the subject of an event. Null for one that is not compared. */
const readers: Record<Event["subject"]["type"], Reader> = {
  organization: ({ people, organizationId: id }, { type }) => {
    const { get, settings } = purser.as(people.owner).organizations;
    return type === "organization.settings_updated" ? settings.get({ id }) : get({ id });
  },
  member: async ({ people, organizationId }, { subject }) =>
    withoutPermissions(
      byId(await purser.as(people.owner).organizations.members.list({ organizationId }), subject),
    ),
  invitation: async ({ people, organizationId }, { subject }) =>
    byId(await purser.as(people.owner).organizations.invitations.list({ organizationId }), subject),
  bank_connection: async ({ people, organizationId: teamId }, { subject }) =>
    byId(await purser.as(people.owner).banking.connections.list({ teamId }), subject),
  bank_account: async ({ people, organizationId: teamId, otherAccountId }, { subject }) =>
    byId(await purser.as(people.owner).banking.accounts.list({ teamId }), subject) ??
    // An account that was merged into another one is gone.
    (subject.id === otherAccountId ? null : undefined),
  card: ({ people, organizationId }, { subject }) =>
    purser.as(people.owner).cards.get({ organizationId, cardId: subject.id }),
  card_policy: async ({ people, organizationId }, { subject }) => {
    const found = byId(await purser.as(people.owner).cards.policies.list({ organizationId }), subject)!;
    const { cardCount: _, currencies: _currencies, ...policy } = found;
    return policy;
  },
  card_transaction: async ({ people, organizationId, cardId }, { subject }) =>
    byId(await purser.as(people.owner).cards.transactions.list({ organizationId, cardId }), subject),
  subscription: async ({ people, organizationId }, { subject }) => {
    const found = await purser.as(people.owner).organizations.subscription.get({ organizationId });
    if (found === null) return null;
    const { others, isTrialEligible: _, ...current } = found;
    const own = byId([current, ...others], subject);
    return own === undefined ? null : withoutPermissions(own);
  },
  webhook_endpoint: async ({ people, organizationId }, { subject }) =>
    byId(await purser.as(people.owner).webhookEndpoints.list({ organizationId }), subject),
  api_key: async ({ people, organizationId }, { subject }) =>
    byId(await purser.as(people.owner).keys.list({ organizationId }), subject),
};

/** What lists tell about the present and about their caller. Events, which go to many and later, do not. */
const ofTheCaller: ReadonlySet<string> = new Set([
  "plan",
  "nextRoles",
  "canRemove",
  "isLive",
  "isTrial",
  "isOverdue",
  "canCancel",
  "canResume",
  "canResumeLater",
  "canOpenPortal",
]);

const withoutPermissions = (subject: object | undefined): object | undefined =>
  subject && Object.fromEntries(Object.entries(subject).filter(([field]) => !ofTheCaller.has(field)));

/** Types after which the subject is not read any more. */
const final: ReadonlySet<EventType> = new Set([
  "member.removed",
  "invitation.accepted",
  "invitation.revoked",
]);

const byId = <Item extends { id: string }>(items: Item[], { id }: { id: string }) =>
  items.find((item) => item.id === id);

/** Compares the last event of each subject, as the owner lists it, with what the owner now reads of the subject. */
async function expectReadable(scene: Scene, written: readonly { id: string; subjectId: string }[]) {
  const { organizationId, people } = scene;
  for (const { id } of new Map(written.map((event) => [event.subjectId, event])).values()) {
    const listed = await purser.as(people.owner).events.list({ organizationId });
    const event = byId(listed, { id })!;
    const subject = await readers[event.subject.type](scene, event);
    expect(subject === undefined, event.type).toBe(final.has(event.type));
    if (subject) expect({ [event.type]: event.data }).toMatchObject({ [event.type]: subject });
  }
}

/** The fields in which answers show a secret once. */
function addSecrets(output: unknown): void {
  if (typeof output === "string") secrets.add(output.split("/").at(-1)!);
  if (typeof output !== "object" || output === null) return;
  const { secret, key, url } = output as Record<"secret" | "key" | "url", unknown>;
  for (const value of [secret, key, typeof url === "string" && url.split("#")[1]])
    if (typeof value === "string") secrets.add(value);
}

async function addStoredSecrets(): Promise<void> {
  const { encryptionKeys } = purser.platform.settings;
  const add = (sealedText: string | null, column: Column, ...key: string[]) => {
    if (sealedText !== null) secrets.add(unseal(encryptionKeys, sealedText, sealedIn(column, key)));
  };
  for (const { token, organizationId, connectionId, id } of await purser.db.select().from(bankConsents))
    add(token, bankConsents.token, organizationId, connectionId, id);
  for (const { secret, organizationId, id } of await purser.db.select().from(webhookEndpoints))
    add(secret, webhookEndpoints.secret, organizationId, id);
  for (const { details, organizationId, userId } of await purser.db.select().from(cardholders))
    add(details, cardholders.details, organizationId, userId);
}
