import { minute } from "@purser/core/testing";
import { cards } from "@purser/db";
import {
  type Person,
  type TestPurser,
  createTestPurser,
  handlerOf,
  problemOf,
  refusalOf,
} from "@purser/testing";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { cardJobs } from "../job-definitions.ts";
import { type CardFixture, createCardFixture } from "../testing/card-scene.ts";
import { type FlakyIssuer, flakyIssuer, secrets } from "../testing/flaky-issuer.ts";

let issuer: FlakyIssuer;
let purser: TestPurser;
let member: Person;
let fixture: CardFixture;
let policyId: string;

beforeAll(async () => {
  issuer = flakyIssuer();
  purser = await createTestPurser({ issuers: issuer.issuers });
  member = await purser.person();
  fixture = await createCardFixture(purser, { members: [member] });
  policyId = await fixture.policy();
});
afterAll(() => purser.close());
beforeEach(() => {
  issuer.failure = "none";
  issuer.cards.clear();
});

interface CardFields {
  organizationId: string;
  assignedToId: string;
  fundingAccountId: string;
  policyId: string;
  nickname: string | null;
}

const cardFields = (change: Partial<CardFields> = {}) => ({
  organizationId: fixture.organizationId,
  assignedToId: member.userId,
  policyId,
  fundingAccountId: fixture.accountId,
  purpose: "ONLINE" as const,
  ...change,
});

const create = (change: Partial<CardFields> = {}, idempotencyKey: string | null = null) =>
  purser.as(fixture.owner, { idempotencyKey }).cards.create(cardFields(change));

const sweep = () =>
  handlerOf(purser.handlers, cardJobs.sweep)(null, { id: "sweep", attempt: 1, last: false });

/** The cards as the API lists them. */
const listed = () => purser.as(fixture.owner).cards.list({ organizationId: fixture.organizationId });

const openAtIssuer = () => [...issuer.cards].filter(([, status]) => status !== "CLOSED").map(([id]) => id);

/** Advances the clock and runs all jobs. */
async function settleDown(): Promise<void> {
  issuer.failure = "none";
  purser.clock.advance(11 * minute);
  await sweep();
  await purser.drain({ ahead: true });
  expect(
    await purser.db
      .select()
      .from(cards)
      .where(sql`issued_at IS NULL`),
  ).toEqual([]);
}

describe("cards.create", () => {
  it("issues a card, and returns exactly the documented fields", async () => {
    const card = await create({ nickname: "Coffee" });
    expect(card).toEqual({
      id: expect.stringMatching(/^card_/),
      ...cardFields({ nickname: "Coffee" }),
      createdById: fixture.owner.userId,
      status: "ACTIVE",
      lastFour: "1234",
      expiryMonth: 12,
      expiryYear: 2030,
      closedAt: null,
    });
    expect(
      await purser.as(member).cards.get({ organizationId: fixture.organizationId, cardId: card.id }),
    ).toEqual(card);
    const [entry] = await purser.as(fixture.owner).organizations.audit.list({ id: fixture.organizationId });
    expect(entry).toMatchObject({
      action: "cards.create",
      subject: card.id,
      actor: { id: fixture.owner.userId },
    });
  });

  it("finds nothing of another organization", async () => {
    const stranger = await createCardFixture(purser);
    const foreign = {
      assignedToId: stranger.owner.userId,
      policyId: await stranger.policy(),
      fundingAccountId: stranger.accountId,
    };
    const codes = {
      assignedToId: "MEMBERSHIP_NOT_FOUND",
      policyId: "CARD_POLICY_NOT_FOUND",
      fundingAccountId: "BANK_ACCOUNT_NOT_FOUND",
    };
    for (const [field, code] of Object.entries(codes)) {
      const id = foreign[field as keyof typeof foreign];
      expect(await refusalOf(create({ [field]: id }))).toBe(code);
      expect(await refusalOf(create({ [field]: "unknown" }))).toBe(code);
    }
    expect(issuer.cards.size).toBe(0);
  });

  it("refuses an account of a disconnected connection", async () => {
    const other = await createCardFixture(purser);
    const { banking, cards: theirs } = purser.as(other.owner);
    await banking.connections.disconnect({ teamId: other.organizationId, connectionId: other.connectionId });
    const call = theirs.create({
      organizationId: other.organizationId,
      assignedToId: other.owner.userId,
      purpose: "ONLINE",
      policyId: await other.policy(),
      fundingAccountId: other.accountId,
    });
    expect(await refusalOf(call)).toBe("CONNECTION_DISCONNECTED");
  });

  it("names an earlier card of the person to the issuer, a closed one too, and none of other people", async () => {
    const holder = await purser.person();
    const { owner, organizationId, card } = await createCardFixture(purser, { members: [holder] });
    const first = await card({}, holder.userId);
    const other = await card();
    const { update, updateStatus } = purser.as(owner).cards;
    await updateStatus({ organizationId, cardId: first.id, status: "CLOSED" });
    const second = await card({}, holder.userId);
    // A card that was issued to another person says nothing about the present holder.
    await update({ organizationId, cardId: second.id, assignedToId: owner.userId });
    const third = await card();
    const named = [first, other, second, third].map(({ id }) => issuer.earlierCards.get(id));
    expect(named).toEqual([undefined, undefined, first.reference, other.reference]);
  });

  it.each(["outage", "lost response", "refusal"] as const)(
    "leaves no open card anywhere if the issuer fails (%s)",
    async (failure) => {
      const before = await listed();
      issuer.failure = failure;
      const code = failure === "refusal" ? "NOT_SUPPORTED_BY_PROVIDER" : "PROVIDER_ERROR";
      expect(await refusalOf(create({}, `key-${failure}`))).toBe(code);
      expect(await listed()).toEqual(before);
      await settleDown();
      expect(openAtIssuer()).toEqual([]);
      // The failure has released the key.
      const card = await create({}, `key-${failure}`);
      expect(openAtIssuer()).toEqual([card.id]);
    },
  );

  it.each([null, "a-key"])(
    "closes the card of a process that died during the issuer's call (key %s)",
    async (key) => {
      // The dead process renews nothing, however long the machine takes.
      vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
      onTestFinished(() => void vi.useRealTimers());
      const before = await listed();
      issuer.failure = "hang";
      void create({}, key);
      await expect.poll(() => issuer.cards.size).toBe(1);
      issuer.failure = "none";
      if (key !== null) expect(await refusalOf(create({}, key))).toBe("IDEMPOTENCY_IN_PROGRESS");
      purser.clock.advance(4 * minute);
      const card = await create({}, key);
      expect(await create({}, key ?? "another")).toMatchObject({
        id: key === null ? expect.anything() : card.id,
      });
      await settleDown();
      expect((await listed()).length - before.length).toBe(key === null ? 2 : 1);
      expect(openAtIssuer().toSorted()).toEqual(
        (await listed())
          .slice(0, key === null ? 2 : 1)
          .map(({ id }) => id)
          .toSorted(),
      );
    },
  );

  it("issues one card for many requests with one key", async () => {
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => create({}, "at-once")));
    const card = await create({}, "at-once");
    for (const result of results) {
      if (result.status === "fulfilled") expect(result.value).toEqual(card);
      else expect(problemOf(result.reason).code).toBe("IDEMPOTENCY_IN_PROGRESS");
    }
    await settleDown();
    expect(openAtIssuer()).toEqual([card.id]);
  });

  it("issues no card to a member who leaves meanwhile, and closes it", async () => {
    const leaving = await purser.person();
    const another = await createCardFixture(purser, { members: [leaving] });
    issuer.failure = "lost response";
    const { organizationId } = another;
    const as = purser.as(another.owner);
    const membership = (await as.organizations.members.list({ organizationId })).find(
      ({ userId }) => userId === leaving.userId,
    );
    const { at } = issuer.issuers;
    // The member leaves during the issuer's call.
    issuer.issuers.at = async (name) => {
      await as.organizations.members.remove({ membershipId: membership!.id });
      issuer.issuers.at = at;
      issuer.failure = "none";
      return at(name);
    };
    const call = as.cards.create({
      organizationId,
      assignedToId: leaving.userId,
      purpose: "ONLINE",
      policyId: await another.policy(),
      fundingAccountId: another.accountId,
    });
    expect(await refusalOf(call)).toBe("MEMBERSHIP_NOT_FOUND");
    expect(openAtIssuer()).toHaveLength(1);
    await settleDown();
    expect(openAtIssuer()).toEqual([]);
  });

  it("is listed as an event after what happened while the issuer was asked", async () => {
    const { organizationId, owner } = fixture;
    const { whileCreating } = issuer;
    issuer.whileCreating = async () => {
      purser.clock.advance(minute);
      await purser.as(owner).organizations.update({ id: organizationId, name: "Renamed meanwhile" });
      purser.clock.advance(minute);
    };
    const { id } = await create().finally(() => (issuer.whileCreating = whileCreating));
    const [newest, second] = await purser.as(owner).events.list({ organizationId, limit: 2 });
    expect(newest).toMatchObject({ type: "card.created", subject: { id } });
    expect(second).toMatchObject({ type: "organization.updated" });
    expect(await purser.as(owner).events.list({ organizationId, subject: id })).toEqual([newest]);
  });

  it("never closes an issued card, even if the issuer responds late", async () => {
    const { at } = issuer.issuers;
    for (let round = 0; round < 8; round += 1) {
      issuer.cards.clear();
      const called = Promise.withResolvers<void>();
      const answer = Promise.withResolvers<void>();
      issuer.issuers.at = async (name) => {
        issuer.issuers.at = at;
        called.resolve();
        await answer.promise;
        return at(name);
      };
      const slow = create().catch((error: unknown) => {
        expect(problemOf(error).code).toBe("UNAVAILABLE");
        return null;
      });
      await called.promise;
      purser.clock.advance(11 * minute);
      // The sweep runs just as the call ends.
      const sweeping = sweep();
      answer.resolve();
      const [card] = await Promise.all([slow, sweeping]);
      await purser.drain({ ahead: true });
      expect(openAtIssuer()).toEqual(card === null ? [] : [card.id]);
    }
  });

  it("stores no full number and no CVV, even if the issuer returns them", async () => {
    const { id } = await create({}, "secretive");
    const tables = await purser.db.execute<{ name: string }>(sql`
      SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
      WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`);
    let dump = "";
    for (const { name } of tables) {
      const rows = await purser.db.execute(
        sql`SELECT row_to_json(one)::text AS row FROM ${sql.raw(name)} one`,
      );
      dump += JSON.stringify(rows);
    }
    expect(dump).toContain(id);
    for (const secret of Object.values(secrets)) expect(dump).not.toContain(secret);
  });
});
