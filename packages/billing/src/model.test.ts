// @module-tag slow
import { day, hour } from "@purser/core/testing";
import { subscriptions } from "@purser/db";
import { type Person, handlerOf, isNightly } from "@purser/testing";
import { type BillingScene, billingScene } from "@purser/testing/billing";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { billingJobs } from "./job-definitions.ts";
import { BillingError, type SubscriptionState } from "./ports.ts";
import { synchronizeSubscription } from "./service/synchronize.ts";
import { foldAudit } from "./testing/audit-fold.ts";
import { unattributedIds } from "./testing/unattributed.ts";

/**
 * Random histories of subscriptions at a provider: failed payments, pauses, scheduled ends, second subscriptions of a
 * team, and subscriptions of no team. Webhooks get lost, arrive late, several at a time, and answers get lost. After a
 * last reconciliation, everything stored equals the provider's log, and each change has one audit entry and one mail.
 */
const size = isNightly ? { runs: 500, commands: 40 } : { runs: 3, commands: 20 };

let scene: BillingScene;
let runs = 0;

beforeAll(async () => {
  scene = await billingScene("local");
  // Stores the catalog, which has the names of the plans.
  await scene.purser.as(null).billing.plans.list();
});
afterAll(() => scene.close());

type Fields = Partial<SubscriptionState>;

/** What may happen to a subscription at its provider, by the status that it has. */
const transitions: Record<string, Fields[]> = {
  incomplete: [
    { status: "ACTIVE", rawStatus: "active" },
    { status: "CANCELED", rawStatus: "incomplete_expired" },
  ],
  active: [
    { status: "PAST_DUE", rawStatus: "past_due" },
    { status: "UNPAID", rawStatus: "paused" },
    { status: null, rawStatus: "of_a_later_version" },
  ],
  past_due: [
    { status: "ACTIVE", rawStatus: "active" },
    { status: "UNPAID", rawStatus: "unpaid" },
  ],
  unpaid: [{ status: "ACTIVE", rawStatus: "active" }],
  paused: [{ status: "ACTIVE", rawStatus: "active" }],
  of_a_later_version: [{ status: "ACTIVE", rawStatus: "active" }],
};
const ended: Fields = { status: "CANCELED", rawStatus: "canceled", cancelAtPeriodEnd: false, cancelAt: null };

const index = fc.nat({ max: 99 });
const command = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("buy" as const), team: fc.nat({ max: 3 }) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("change" as const), one: index, to: index }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("end" as const), one: index }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("schedule" as const),
      one: index,
      end: fc.constantFrom("period", "later", "none"),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("renew" as const), one: index }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("webhook" as const),
      one: index,
      times: fc.integer({ min: 1, max: 3 }),
      lost: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("request" as const),
      action: fc.constantFrom("cancel" as const, "resume" as const),
      one: index,
      lost: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("reconcile" as const) }) },
);
type Command = typeof command extends fc.Arbitrary<infer Value> ? Value : never;

/** One history. */
class History {
  readonly states = new Map<string, SubscriptionState>();
  readonly created = new Map<string, Date>();
  readonly teams: { owner: Person; teamId: string }[];
  /** How many of the next answers get lost. */
  lostAnswers = 0;
  readonly #run = (runs += 1);

  constructor(teams: { owner: Person; teamId: string }[]) {
    this.teams = teams;
    scene.intercept({
      recognizes: (id) => this.states.has(id),
      subscription: async (id) => this.#answer(this.states.get(id) ?? null),
      subscriptionsSince: async (since) =>
        this.#answer(
          [...this.states.values()]
            .filter(({ id }) => this.created.get(id)! >= since)
            .map(({ id: subscriptionId, organizationId }) => ({ subscriptionId, organizationId })),
        ),
      cancel: async (id) => this.#answer(this.#change(id, { cancelAtPeriodEnd: true, canceledAt: now() })),
      resume: async (id) =>
        this.#answer(this.#change(id, { cancelAtPeriodEnd: false, canceledAt: null, cancelAt: null })),
    });
  }

  #answer<Value>(value: Value): Value {
    if (this.lostAnswers === 0) return value;
    this.lostAnswers -= 1;
    throw new BillingError("outage", "The answer got lost");
  }

  #change(id: string, fields: Fields): void {
    this.states.set(id, { ...this.states.get(id)!, ...fields });
  }

  async take(one: Command): Promise<void> {
    scene.purser.clock.advance(hour / 2);
    if (one.kind === "buy") return this.#buy(one.team);
    if (one.kind === "reconcile") return reconcile();
    const state = [...this.states.values()][one.one % Math.max(1, this.states.size)];
    if (state === undefined) return;
    const { id, rawStatus, organizationId } = state;
    if (one.kind === "webhook") {
      this.lostAnswers = one.lost ? 1 : 0;
      // The queue retries what fails; here the next event or the reconciliation does.
      await Promise.allSettled(Array.from({ length: one.times }, () => synchronize(id)));
    } else if (one.kind === "request") {
      const team = this.teams.find(({ teamId }) => teamId === organizationId);
      this.lostAnswers = one.lost ? 2 : 0;
      if (team) await Promise.allSettled([scene.purser.as(team.owner).billing[one.action]({ id })]);
    } else if (rawStatus !== "canceled" && rawStatus !== "incomplete_expired") {
      this.#change(id, happens(one, state));
    }
    this.lostAnswers = 0;
  }

  /** The fourth team is none that exists. */
  #buy(team: number): void {
    const id = `sub_${this.#run}_${this.states.size}`;
    this.created.set(id, now());
    this.states.set(id, {
      id,
      customerId: "customer",
      organizationId: this.teams[team]?.teamId ?? null,
      status: "INCOMPLETE",
      rawStatus: "incomplete",
      planId: "local_team",
      variantId: "local_team_monthly",
      ...periodFrom(now()),
      isTrial: false,
      canceledAt: null,
      cancelAtPeriodEnd: false,
      cancelAt: null,
    });
  }

  /** The provider returns to statuses that this version knows, and everything is checked once more. */
  async settle(): Promise<void> {
    for (const { id, rawStatus } of this.states.values()) {
      if (rawStatus === "of_a_later_version") this.#change(id, { status: "ACTIVE", rawStatus: "active" });
    }
    for (let round = 0; round < 2; round += 1) {
      scene.purser.clock.advance(25 * hour);
      await reconcile();
    }
  }

  /** Compares what is stored with the provider's log. */
  async check(): Promise<void> {
    const live = (state: SubscriptionState) => ["ACTIVE", "PAST_DUE", "UNPAID"].includes(state.status!);
    const all = [...this.states.values()];
    const rows = await scene.purser.db.select().from(subscriptions);
    const prefix = `sub_${this.#run}_`;
    const stored = rows
      .filter(({ id }) => id.startsWith(prefix))
      .map(({ checkedAt: _at, provider: _name, paidPeriodStart: _paid, ...row }) => row);
    const expected = all
      .filter(({ organizationId }) => organizationId !== null)
      .map(({ cancelAt: _end, checkoutId: _checkout, ...state }) => state);
    expect(stored.toSorted(byId)).toEqual(expected.toSorted(byId));

    const unattributed = await unattributedIds(scene.purser.db);
    const paid = all.filter((state) => state.organizationId === null && live(state));
    expect(unattributed.filter((id) => id.startsWith(prefix)).toSorted()).toEqual(
      paid.map(({ id }) => id).toSorted(),
    );

    for (const { owner, teamId } of this.teams) {
      const own = expected.filter(({ organizationId }) => organizationId === teamId);
      const shown = await scene.purser.as(owner).organizations.subscription.get({ organizationId: teamId });
      const candidates = own.some(({ status }) => live({ status } as SubscriptionState))
        ? own.filter((state) => live(state as SubscriptionState))
        : own;
      expect(candidates.map(({ id }) => id).concat(own.length === 0 ? ["none"] : [])).toContain(
        shown?.id ?? "none",
      );
      await this.#checkReports(owner, teamId, own as SubscriptionState[]);
      await this.#checkEvents(owner, teamId, own as SubscriptionState[]);
    }
  }

  /** The audit trail leads to the state, step by step, and each step that owners are notified of is one mail. */
  async #checkReports(owner: Person, teamId: string, own: SubscriptionState[]): Promise<void> {
    const entries = await scene.purser.as(owner).organizations.audit.list({ id: teamId, limit: 100 });
    const changes = entries.toReversed().filter(({ details }) => details["change"] !== undefined);
    let notices = 0;
    for (const { id, status, rawStatus, cancelAtPeriodEnd } of own) {
      const folded = foldAudit(
        changes.filter(({ subject }) => subject === id).map(({ details }) => details["change"] as string),
      );
      notices += folded.notices;
      const isLive = status !== "CANCELED" && status !== "INCOMPLETE";
      expect({ id, ...folded, notices: 0 }).toEqual({
        id,
        isLive,
        status: isLive ? (rawStatus === "paused" ? "PAUSED" : status) : null,
        isEnding: isLive && cancelAtPeriodEnd,
        notices: 0,
      });
    }
    expect(scene.purser.mails.filter(({ to }) => to === owner.email)).toHaveLength(notices);
  }

  /** The events lead to the state, and say `renewed` once of each period that was paid, unless it was seen first. */
  async #checkEvents(owner: Person, teamId: string, own: SubscriptionState[]): Promise<void> {
    const events = await scene.purser.as(owner).events.list({ organizationId: teamId, limit: 1000 });
    for (const { id, status, currentPeriodStart, cancelAtPeriodEnd } of own) {
      const shown = events
        .filter(({ subject }) => subject?.id === id)
        .toReversed()
        .map(({ type, data }) => ({ type, ...(data as SubscriptionState) }));
      expect(shown.at(-1)).toMatchObject({ status, currentPeriodStart, cancelAtPeriodEnd });
      let lastPaid: Date | undefined;
      for (const [place, { type, ...after }] of shown.entries()) {
        const before = shown[place - 1]?.status;
        const isPaid =
          after.status === "ACTIVE" &&
          (lastPaid === undefined ? before === "PAST_DUE" : after.currentPeriodStart > lastPaid);
        // No event tells a pause from retries that stopped.
        const mayBePaid =
          isPaid || (after.status === "ACTIVE" && lastPaid === undefined && before === "UNPAID");
        const isRenewed = type === "subscription.renewed";
        expect({ shown, place, isRenewed }).toMatchObject({ isRenewed: isRenewed ? mayBePaid : isPaid });
        if (after.status === "ACTIVE") lastPaid = after.currentPeriodStart;
      }
    }
  }
}

/** What a command changes at the provider. */
function happens(
  one: Extract<Command, { kind: "change" | "end" | "renew" | "schedule" }>,
  state: SubscriptionState,
): Fields {
  const { rawStatus, currentPeriodEnd } = state;
  if (one.kind === "end") return ended;
  if (one.kind === "renew") return periodFrom(now());
  if (one.kind === "change") {
    const possible = transitions[rawStatus]!;
    return possible[one.to % possible.length]!;
  }
  if (one.end === "none") return { cancelAtPeriodEnd: false, cancelAt: null, canceledAt: null };
  const atPeriodEnd = one.end === "period";
  const cancelAt = atPeriodEnd ? currentPeriodEnd : new Date(currentPeriodEnd.getTime() + 90 * day);
  return { cancelAtPeriodEnd: atPeriodEnd, cancelAt, canceledAt: now() };
}

const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);
const now = () => scene.purser.clock.now();

function periodFrom(currentPeriodStart: Date) {
  return { currentPeriodStart, currentPeriodEnd: new Date(currentPeriodStart.getTime() + 30 * day) };
}

/** A webhook that does not name the team. */
const synchronize = (subscriptionId: string) =>
  synchronizeSubscription(scene.purser.platform, "local", { subscriptionId, organizationId: null });

async function reconcile(): Promise<void> {
  const handler = handlerOf(scene.purser.handlers, billingJobs.reconcile);
  await handler(null, { id: "job", attempt: 1, last: true });
  await scene.purser.drain();
}

describe("billing", () => {
  it(
    "stores what the provider's log says, and reports each change once, after any history",
    { timeout: isNightly ? 3_600_000 : 240_000 },
    async () => {
      const history = fc.array(command, { minLength: size.commands, maxLength: size.commands });
      await fc.assert(
        fc.asyncProperty(history, async (commands) => {
          const teams = await Promise.all(Array.from({ length: 3 }, () => scene.team()));
          const one = new History(teams);
          for (const next of commands) await one.take(next);
          await one.settle();
          await one.check();
          scene.intercept(null);
          await scene.purser.db.delete(subscriptions);
        }),
        { numRuns: size.runs, endOnFailure: true },
      );
    },
  );
});
