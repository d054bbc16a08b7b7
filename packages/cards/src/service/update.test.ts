import { setImmediate as nextTurn } from "node:timers/promises";
import { cards, memberships } from "@purser/db";
import { lockOrganization } from "@purser/organizations";
import {
  type Person,
  type TestPurser,
  countWaitingForLocks,
  createTestPurser,
  handlerOf,
  refusalOf,
} from "@purser/testing";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { authorizePurchase } from "../authorizations/service/authorize.ts";
import { cardJobs } from "../job-definitions.ts";
import type { CardStatus } from "../ports.ts";
import { type CardFixture, type TestCard, createCardFixture } from "../testing/card-scene.ts";
import { type FlakyIssuer, flakyIssuer } from "../testing/flaky-issuer.ts";
import { cardNetwork } from "../testing/network.ts";

let issuer: FlakyIssuer;
let purser: TestPurser;
let holder: Person;
let colleague: Person;
let fixture: CardFixture;
let card: TestCard;

beforeAll(async () => {
  issuer = flakyIssuer();
  purser = await createTestPurser({ issuers: issuer.issuers });
  [holder, colleague] = [await purser.person(), await purser.person()];
  fixture = await createCardFixture(purser, { members: [holder, colleague] });
});
afterAll(() => purser.close());
beforeEach(async () => {
  issuer.failure = "none";
  issuer.bindsCards = false;
  card = await fixture.card({}, holder.userId);
});

const theCard = () => ({ organizationId: card.organizationId, cardId: card.id });

const setStatus = (person: Person, status: CardStatus, reason?: string) =>
  purser.as(person).cards.updateStatus({ ...theCard(), status, reason });

const statusNow = async () => (await purser.as(fixture.owner).cards.get(theCard())).status;

const lastEntry = async (subject: string) =>
  (await purser.as(fixture.owner).organizations.audit.list({ id: fixture.organizationId })).find(
    (entry) => entry.subject === subject,
  );

/** Whether the network would get an approval now. */
const buy = async () => {
  const purchase = cardNetwork({ card: card.reference, at: purser.clock.now() }).authorization({
    amount: 100,
  });
  return (await authorizePurchase(purser.platform, "sandbox", purchase)).response;
};

describe("cards.get", () => {
  it("shows a card to owners and its holder only", async () => {
    const shown = await purser.as(fixture.owner).cards.get(theCard());
    expect(shown).toMatchObject({ id: card.id, assignedToId: holder.userId, lastFour: "1234" });
    expect(await purser.as(holder).cards.get(theCard())).toEqual(shown);
    expect(await refusalOf(purser.as(colleague).cards.get(theCard()))).toBe("CARD_NOT_FOUND");
    const elsewhere = await createCardFixture(purser);
    const { organizationId } = elsewhere;
    expect(await refusalOf(purser.as(elsewhere.owner).cards.get({ organizationId, cardId: card.id }))).toBe(
      "CARD_NOT_FOUND",
    );
  });
});

describe("cards.update", () => {
  it("changes nickname, policy and holder, and leaves absent fields", async () => {
    const { update } = purser.as(fixture.owner).cards;
    const before = await update({ ...theCard(), nickname: "Coffee" });
    const policyId = await fixture.policy({ spendingLimit: 50 });
    const after = await update({ ...theCard(), policyId, assignedToId: colleague.userId });
    expect(after).toEqual({ ...before, policyId, assignedToId: colleague.userId });
    expect(await buy()).toEqual({ approved: false, reason: "transaction_limit_exceeded" });
    expect((await lastEntry(card.id))!.details).toMatchObject({
      from: { policyId: card.policyId },
      to: { policyId },
    });
    expect(await update({ ...theCard(), nickname: null })).toEqual({ ...after, nickname: null });
    expect(await update(theCard())).toEqual({ ...after, nickname: null });
  });

  it("names the new holder to the issuer, also if it is down meanwhile", async () => {
    issuer.failure = "outage";
    const update = (assignedToId: string) =>
      purser.as(fixture.owner).cards.update({ ...theCard(), assignedToId });
    await update(colleague.userId);
    await purser.drain();
    expect(issuer.holders.get(card.id)).toBeUndefined();
    issuer.failure = "none";
    await purser.drain({ ahead: true });
    expect(issuer.holders.get(card.id)).toBe(colleague.userId);
    await update(holder.userId);
    await update(fixture.owner.userId);
    await purser.drain();
    expect(issuer.holders.get(card.id)).toBe(fixture.owner.userId);
  });

  it("is refused for a new holder if the issuer binds a card to one person", async () => {
    issuer.bindsCards = true;
    const { update, get } = purser.as(fixture.owner).cards;
    const before = await get(theCard());
    expect(await refusalOf(update({ ...theCard(), nickname: "Mine", assignedToId: colleague.userId }))).toBe(
      "NOT_SUPPORTED_BY_PROVIDER",
    );
    expect(await get(theCard())).toEqual(before);
    const [listed] = await purser.as(fixture.owner).cards.list({ organizationId: card.organizationId });
    expect(listed).toMatchObject({ id: card.id, canUpdate: true, canReassign: false });
    expect(await update({ ...theCard(), nickname: "Ours", assignedToId: holder.userId })).toMatchObject({
      nickname: "Ours",
    });
  });

  it("finds no policy and no member of another organization, and changes no closed card", async () => {
    const { update } = purser.as(fixture.owner).cards;
    const elsewhere = await createCardFixture(purser);
    expect(await refusalOf(update({ ...theCard(), policyId: await elsewhere.policy() }))).toBe(
      "CARD_POLICY_NOT_FOUND",
    );
    expect(await refusalOf(update({ ...theCard(), assignedToId: elsewhere.owner.userId }))).toBe(
      "MEMBERSHIP_NOT_FOUND",
    );
    expect(await refusalOf(update({ ...theCard(), cardId: purser.unknownId("card") }))).toBe(
      "CARD_NOT_FOUND",
    );
    await setStatus(fixture.owner, "CLOSED");
    expect(await refusalOf(update({ ...theCard(), nickname: "Late" }))).toBe("CARD_CLOSED");
    expect(await refusalOf(update({ ...theCard(), policyId: await elsewhere.policy() }))).toBe(
      "CARD_POLICY_NOT_FOUND",
    );
    expect(await refusalOf(update({ ...theCard(), assignedToId: elsewhere.owner.userId }))).toBe(
      "MEMBERSHIP_NOT_FOUND",
    );
  });

  it("assigns no card to a member who is being removed", async () => {
    const leaving = await purser.person();
    const another = await createCardFixture(purser, { members: [leaving] });
    const { organizationId } = another;
    const { id: cardId } = await another.card();
    const assignment = await purser.db.transaction(async (transaction) => {
      // Like the removal, this is invisible to others until the commit.
      await lockOrganization(transaction, organizationId);
      await transaction.delete(memberships).where(eq(memberships.userId, leaving.userId));
      const update = refusalOf(
        purser.as(another.owner).cards.update({ organizationId, cardId, assignedToId: leaving.userId }),
      ).catch(() => "It was assigned");
      const outcomes: string[] = [];
      void update.then((outcome) => outcomes.push(outcome));
      while (outcomes.length === 0 && (await countWaitingForLocks(purser.db)) === 0) await nextTurn();
      return { update };
    });
    expect(await assignment.update).toBe("MEMBERSHIP_NOT_FOUND");
  });
});

/** The result of each status change: done, no change, or the problem code. */
type Row = Record<CardStatus, "done" | "same" | "FORBIDDEN" | "CARD_CLOSED" | "CARD_NOT_FOUND">;
const ended: Row = { ACTIVE: "CARD_CLOSED", PAUSED: "CARD_CLOSED", FROZEN: "CARD_CLOSED", CLOSED: "same" };
const untouchable: Row = {
  ACTIVE: "FORBIDDEN",
  PAUSED: "FORBIDDEN",
  FROZEN: "FORBIDDEN",
  CLOSED: "FORBIDDEN",
};
const invisible: Row = {
  ACTIVE: "CARD_NOT_FOUND",
  PAUSED: "CARD_NOT_FOUND",
  FROZEN: "CARD_NOT_FOUND",
  CLOSED: "CARD_NOT_FOUND",
};
const anything: Row = { ACTIVE: "done", PAUSED: "done", FROZEN: "done", CLOSED: "done" };

const matrix: Record<string, Record<CardStatus, Row>> = {
  owner: {
    ACTIVE: { ...anything, ACTIVE: "same" },
    PAUSED: { ...anything, PAUSED: "same" },
    FROZEN: { ...anything, FROZEN: "same" },
    CLOSED: ended,
  },
  holder: {
    ACTIVE: { ACTIVE: "same", PAUSED: "done", FROZEN: "FORBIDDEN", CLOSED: "done" },
    PAUSED: { ACTIVE: "done", PAUSED: "same", FROZEN: "FORBIDDEN", CLOSED: "done" },
    FROZEN: untouchable,
    CLOSED: { ...ended, FROZEN: "FORBIDDEN" },
  },
  colleague: { ACTIVE: invisible, PAUSED: invisible, FROZEN: invisible, CLOSED: invisible },
};
const cases = Object.entries(matrix).flatMap(([who, rows]) =>
  Object.entries(rows).map(([from, row]) => ({ who, from: from as CardStatus, row })),
);

describe("cards.updateStatus", () => {
  it.each(cases)("moves a card from $from as the contract says, for its $who", async ({ who, from, row }) => {
    const person = { owner: fixture.owner, holder, colleague }[who]!;
    const closedAt = from === "CLOSED" ? new Date("2026-01-01T00:00:00.000Z") : null;
    for (const [to, expected] of Object.entries(row) as [CardStatus, string][]) {
      await purser.db.update(cards).set({ status: from, closedAt }).where(eq(cards.id, card.id));
      const call = setStatus(person, to);
      if (expected === "done" || expected === "same") {
        const becomes = expected === "done" && to === "CLOSED" ? purser.clock.now() : closedAt;
        expect(await call).toEqual({ id: card.id, status: to, closedAt: becomes });
        expect(await statusNow()).toBe(to);
      } else {
        expect(await refusalOf(call)).toBe(expected);
        expect(await statusNow()).toBe(from);
      }
    }
  });

  it("audits who changed it and why, once, and updates the issuer", async () => {
    await setStatus(holder, "PAUSED", "Lost it");
    await setStatus(fixture.owner, "PAUSED", "Again");
    expect(await lastEntry(card.id)).toMatchObject({
      action: "cards.updateStatus",
      actor: { id: holder.userId },
      details: {
        from: "ACTIVE",
        to: "PAUSED",
        reason: "Lost it",
      },
    });
    await purser.drain();
    expect(issuer.cards.get(card.id)).toBe("PAUSED");
  });

  it("applies to the next purchase while the issuer is down, and updates the issuer later", async () => {
    expect((await buy()).approved).toBe(true);
    issuer.failure = "outage";
    await setStatus(fixture.owner, "FROZEN");
    expect(await buy()).toEqual({ approved: false, reason: "card_frozen" });
    await purser.drain();
    expect(issuer.cards.get(card.id)).toBe("ACTIVE");
    issuer.failure = "none";
    await purser.drain({ ahead: true });
    expect(issuer.cards.get(card.id)).toBe("FROZEN");
    await setStatus(fixture.owner, "ACTIVE");
    expect((await buy()).approved).toBe(true);
  });

  it("sends the present status to an issuer that has missed it, and records nothing", async () => {
    // As if the job of the last change had failed for hours.
    issuer.cards.set(card.id, "FROZEN");
    const before = await lastEntry(card.id);
    await setStatus(fixture.owner, "ACTIVE");
    await purser.drain();
    expect(issuer.cards.get(card.id)).toBe("ACTIVE");
    expect(await lastEntry(card.id)).toEqual(before);
  });

  it("leaves the issuer with the last status, whichever job runs last", async () => {
    for (const status of ["PAUSED", "ACTIVE", "FROZEN", "ACTIVE", "PAUSED"] as const)
      await setStatus(fixture.owner, status);
    const handle = handlerOf(purser.handlers, cardJobs.status);
    const data = { organizationId: card.organizationId, cardId: card.id };
    await Promise.all([1, 2, 3].map((attempt) => handle(data, { id: "job", attempt, last: false })));
    expect(issuer.cards.get(card.id)).toBe("PAUSED");
  });
});
