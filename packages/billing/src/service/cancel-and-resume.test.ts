import { day, hour, minute } from "@purser/core/testing";
import { memberships } from "@purser/db";
import { type Person, handlerOf, refusalOf } from "@purser/testing";
import { type BillingScene, billingScene } from "@purser/testing/billing";
import { eq, sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { billingJobs } from "../job-definitions.ts";
import { BillingError, type PaymentProvider } from "../ports.ts";

let scene: BillingScene;
let administrator: Person;

beforeAll(async () => {
  scene = await billingScene("local");
  administrator = await scene.purser.person({ isAdministrator: true });
});
afterAll(() => scene.close());
afterEach(() => scene.intercept(null));

type Team = Awaited<ReturnType<BillingScene["subscriber"]>>;

const billing = ({ owner }: Pick<Team, "owner">) => scene.purser.as(owner).billing;
const cancel = (team: Team) => billing(team).cancel({ id: team.subscriptionId });
const resume = (team: Team) => billing(team).resume({ id: team.subscriptionId });
const portal = (team: Team) => billing(team).portal({ subscriptionId: team.subscriptionId });

const read = async ({ owner, teamId }: Team) =>
  (await scene.purser.as(owner).organizations.subscription.get({ organizationId: teamId }))!;

/** The audit trail of a subscription, oldest first. */
async function trail({ owner, teamId, subscriptionId }: Team): Promise<string[]> {
  const entries = await scene.purser.as(owner).organizations.audit.list({ id: teamId });
  return entries
    .filter(({ subject }) => subject === subscriptionId)
    .map(({ actor, action, details: { change } }) =>
      [actor?.id === owner.userId ? "owner:" : "", action, change].filter(Boolean).join(" "),
    )
    .toReversed();
}

/** A team with a manual subscription. */
async function manual(
  status: "ACTIVE" | "INCOMPLETE" = "ACTIVE",
  team?: Pick<Team, "owner" | "teamId">,
  cancellation = { canceledAt: null as Date | null, cancelAtPeriodEnd: false },
): Promise<Team & { end: Date }> {
  const { owner, teamId } = team ?? (await scene.team());
  const { now } = scene.purser.clock;
  const [subscriptionId, end] = [`manual ${teamId}`, new Date(now().getTime() + 30 * day)];
  await scene.purser.as(administrator).billing.sync({
    id: subscriptionId,
    teamId,
    customerId: "customer",
    status,
    planId: "plan",
    variantId: "variant",
    currentPeriodStart: now(),
    currentPeriodEnd: end,
    ...cancellation,
  });
  return { owner, teamId, subscriptionId, end };
}

const outage = () => Promise.reject(new BillingError("outage", "No answer"));
const ended = () => Promise.reject(new BillingError("ended", "It has ended"));

/** Counts the calls that change the provider's subscription. */
function watched(): Record<"cancel" | "resume", number> {
  const calls = { cancel: 0, resume: 0 };
  const { provider } = scene.fake;
  scene.intercept({
    cancel: (id) => ((calls.cancel += 1), provider.cancel(id)),
    resume: (id) => ((calls.resume += 1), provider.resume(id)),
  });
  return calls;
}

describe("billing.cancel", () => {
  it("cancels at the end of the period, here and at the provider, with an audit entry", async () => {
    const team = await scene.subscriber();
    const before = await read(team);
    expect(await cancel(team)).toBeUndefined();
    const ending = { cancelAtPeriodEnd: true, canceledAt: scene.purser.clock.now() };
    expect(await read(team)).toEqual({ ...before, ...ending, canCancel: false, canResume: true });
    expect(await scene.fake.provider.subscription(team.subscriptionId)).toMatchObject(ending);
    expect(await trail(team)).toEqual([
      "billing.synchronize started",
      "owner: billing.cancel",
      "owner: billing.cancel ending",
    ]);
  });

  it("is idempotent, at once and later", async () => {
    const team = await scene.subscriber();
    const calls = watched();
    await Promise.all(Array.from({ length: 5 }, () => cancel(team)));
    const [first, record] = [await read(team), await trail(team)];
    scene.purser.clock.advance(hour);
    await cancel(team);
    expect([await read(team), await trail(team), calls.cancel]).toEqual([first, record, 1]);
    expect(record.filter((entry) => entry === "owner: billing.cancel")).toHaveLength(1);
  });

  it("makes sure between its two calls that the lock exists, so neither is too long an idle time", async () => {
    const team = await scene.subscriber();
    const { provider } = scene.fake;
    const idleSince = async () => {
      const [holder] = await scene.purser.db.execute<{ since: number }>(sql`
        SELECT extract(epoch FROM state_change)::float8 AS since FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'purser locks'
          AND state = 'idle in transaction'`);
      return holder!.since;
    };
    const calls: number[] = [];
    scene.intercept({
      subscription: async (id) => {
        calls.push(await idleSince());
        return provider.subscription(id);
      },
      cancel: async (id) => {
        calls.push(await idleSince());
        return provider.cancel(id);
      },
    });
    await cancel(team);
    expect(calls[1]).toBeGreaterThan(calls[0]!);
  });

  it("has one effect per idempotency key", async () => {
    const team = await scene.subscriber();
    const keyed = scene.purser.as(team.owner, { idempotencyKey: "key" }).billing;
    await keyed.cancel({ id: team.subscriptionId });
    await resume(team);
    await keyed.cancel({ id: team.subscriptionId });
    expect((await read(team)).cancelAtPeriodEnd).toBe(false);
  });

  it("repeats its answer to an owner who has lost the role, and the membership", async () => {
    const team = await scene.subscriber();
    const keyed = scene.purser.as(team.owner, { idempotencyKey: "key" }).billing;
    const repeat = () => keyed.cancel({ id: team.subscriptionId });
    await repeat();
    const theirs = eq(memberships.userId, team.owner.userId);
    const demoted = { role: "MEMBER", isCreator: false } as const;
    await scene.purser.db.update(memberships).set(demoted).where(theirs);
    expect(await repeat()).toBeUndefined();
    await scene.purser.db.delete(memberships).where(theirs);
    expect(await repeat()).toBeUndefined();
    expect(await refusalOf(cancel(team))).toBe("SUBSCRIPTION_NOT_FOUND");
  });

  it("fails without a change when the provider does not answer", async () => {
    const team = await scene.subscriber();
    const before = await read(team);
    const nowhere: Partial<PaymentProvider>[] = [
      { subscription: outage },
      { cancel: outage },
      { subscription: async () => null },
    ];
    for (const provider of nowhere) {
      scene.intercept(provider);
      expect(await refusalOf(cancel(team))).toBe("PROVIDER_ERROR");
      expect([await read(team), await trail(team)]).toEqual([before, ["billing.synchronize started"]]);
    }
  });

  it("records who canceled even if the provider's answer got lost", async () => {
    const team = await scene.subscriber();
    const { provider } = scene.fake;
    scene.intercept({ cancel: async (id) => provider.cancel(id).then(outage) });
    expect(await refusalOf(cancel(team))).toBe("PROVIDER_ERROR");
    scene.intercept(null);
    await cancel(team);
    await cancel(team);
    const record = ["billing.synchronize started", "owner: billing.cancel", "owner: billing.cancel ending"];
    expect(await trail(team)).toEqual(record);
  });

  it("can be repeated when only reading the result failed", async () => {
    const team = await scene.subscriber();
    const { provider } = scene.fake;
    let answers = 1;
    scene.intercept({ subscription: (id) => ((answers -= 1) < 0 ? outage() : provider.subscription(id)) });
    expect(await refusalOf(cancel(team))).toBe("PROVIDER_ERROR");
    const { cancel: calls } = watched();
    await cancel(team);
    expect([(await read(team)).cancelAtPeriodEnd, calls]).toEqual([true, 0]);
    expect((await trail(team)).filter((entry) => entry === "owner: billing.cancel")).toHaveLength(1);
  });

  it("notices an end that no webhook announced, and one during the call", async () => {
    for (const provider of [null, { cancel: ended }]) {
      const team = await scene.subscriber();
      if (provider === null) await scene.fake.end(team.subscriptionId);
      scene.intercept(provider);
      expect(await refusalOf(cancel(team))).toBe("SUBSCRIPTION_ENDED");
      expect((await read(team)).status).toBe(provider === null ? "CANCELED" : "ACTIVE");
    }
  });

  it("ends a manual subscription at the end of its period", async () => {
    const team = await manual();
    await cancel(team);
    const canceledAt = scene.purser.clock.now();
    scene.purser.clock.advance(minute);
    await cancel(team);
    expect(await read(team)).toMatchObject({ status: "ACTIVE", cancelAtPeriodEnd: true, canceledAt });
    expect((await trail(team)).slice(2)).toEqual(["owner: billing.cancel", "owner: billing.cancel ending"]);
    scene.purser.clock.set(new Date(team.end.getTime() - 1));
    expect((await read(team)).status).toBe("ACTIVE");
    scene.purser.clock.set(team.end);
    expect((await read(team)).status).toBe("CANCELED");
    expect(await refusalOf(cancel(team))).toBe("SUBSCRIPTION_ENDED");
    expect(await refusalOf(resume(team))).toBe("SUBSCRIPTION_ENDED");
  });

  it("sets the time of a manual cancellation that was entered without one, and keeps an entered time", async () => {
    const team = await manual("ACTIVE", undefined, { cancelAtPeriodEnd: true, canceledAt: null });
    await cancel(team);
    const canceledAt = scene.purser.clock.now();
    expect(await read(team)).toMatchObject({ cancelAtPeriodEnd: true, canceledAt });
    expect((await trail(team)).at(-1)).toBe("owner: billing.cancel");
    for (const cancelAtPeriodEnd of [true, false]) {
      const earlier = new Date(canceledAt.getTime() - day);
      const other = await manual("ACTIVE", undefined, { cancelAtPeriodEnd, canceledAt: earlier });
      await cancel(other);
      expect(await read(other)).toMatchObject({ cancelAtPeriodEnd: true, canceledAt: earlier });
    }
  });

  it("writes an audit entry even when the subscription was not live", async () => {
    const team = await manual("INCOMPLETE");
    await cancel(team);
    expect((await trail(team)).at(-1)).toBe("owner: billing.cancel");
    expect(await read(team)).toMatchObject({ status: "INCOMPLETE", cancelAtPeriodEnd: true });
  });
});

describe("billing.resume", () => {
  it("withdraws a cancellation, and returns the provider's status", async () => {
    const team = await scene.subscriber();
    const before = await read(team);
    await scene.fake.failPayment(team.subscriptionId);
    await cancel(team);
    expect(await resume(team)).toEqual({ status: "PAST_DUE" });
    const after = await read(team);
    expect(after).toMatchObject({ id: before.id, cancelAtPeriodEnd: false, canceledAt: null });
    expect((await trail(team)).slice(-2)).toEqual(["owner: billing.resume", "owner: billing.resume resumed"]);
  });

  it("changes nothing without a cancellation", async () => {
    const team = await scene.subscriber();
    const calls = watched();
    expect(await resume(team)).toEqual({ status: "ACTIVE" });
    expect([calls.resume, await trail(team)]).toEqual([0, ["billing.synchronize started"]]);
  });

  it("is refused after the end, and stores that end", async () => {
    const team = await scene.subscriber();
    await cancel(team);
    await scene.fake.end(team.subscriptionId);
    expect((await read(team)).status).toBe("ACTIVE");
    for (const call of [resume, resume, cancel])
      expect(await refusalOf(call(team))).toBe("SUBSCRIPTION_ENDED");
    expect((await read(team)).status).toBe("CANCELED");
  });

  it("is refused without the capability, and fails when the provider does not answer", async () => {
    const team = await scene.subscriber();
    await cancel(team);
    scene.intercept({ capabilities: { ...scene.fake.provider.capabilities, resume: false } });
    expect(await refusalOf(resume(team))).toBe("NOT_SUPPORTED_BY_PROVIDER");
    scene.intercept({ resume: outage });
    expect(await refusalOf(resume(team))).toBe("PROVIDER_ERROR");
    expect((await read(team)).cancelAtPeriodEnd).toBe(true);
  });

  it("withdraws the cancellation of a manual subscription", async () => {
    const team = await manual();
    await cancel(team);
    expect(await resume(team)).toEqual({ status: "ACTIVE" });
    expect(await resume(team)).toEqual({ status: "ACTIVE" });
    expect(await read(team)).toMatchObject({ cancelAtPeriodEnd: false, canceledAt: null });
    expect((await trail(team)).slice(4)).toEqual(["owner: billing.resume", "owner: billing.resume resumed"]);
    scene.purser.clock.set(team.end);
    expect((await read(team)).status).toBe("ACTIVE");
  });

  it("clears the time of a manual cancellation that was entered without the flag", async () => {
    const canceledAt = scene.purser.clock.now();
    const team = await manual("ACTIVE", undefined, { cancelAtPeriodEnd: false, canceledAt });
    expect(await resume(team)).toEqual({ status: "ACTIVE" });
    expect(await read(team)).toMatchObject({ cancelAtPeriodEnd: false, canceledAt: null });
  });

  it("matches the provider after races with cancel and webhooks", async () => {
    const { purser, fake } = scene;
    for (let round = 0; round < 2; round += 1) {
      const team = await scene.subscriber();
      const { subscriptionId, teamId: organizationId } = team;
      await fake.failPayment(subscriptionId);
      const pointer = { provider: "local", subscriptionId, organizationId } as const;
      const job = { id: "job", attempt: 1, last: true };
      const synchronize = () => handlerOf(purser.handlers, billingJobs.synchronize)(pointer, job);
      await Promise.all([
        cancel(team),
        synchronize(),
        resume(team),
        cancel(team),
        synchronize(),
        resume(team),
      ]);
      const state = (await fake.provider.subscription(subscriptionId))!;
      expect(state.status).toBe("PAST_DUE");
      const { status, cancelAtPeriodEnd, canceledAt } = state;
      expect(await read(team)).toMatchObject({ status, cancelAtPeriodEnd, canceledAt });
    }
  });
});

describe("another caller", () => {
  it("has no access to another team's subscription", async () => {
    const [team, other] = [await scene.subscriber(), await scene.subscriber()];
    const { owner } = other;
    for (const call of [portal, cancel, resume])
      expect(await refusalOf(call({ ...team, owner }))).toBe("SUBSCRIPTION_NOT_FOUND");
    const unknown = { ...other, subscriptionId: scene.purser.unknownId("sub") };
    expect(await refusalOf(portal(unknown))).toBe("SUBSCRIPTION_NOT_FOUND");
  });

  it("is refused as a member", async () => {
    const [owner, member] = [await scene.purser.person(), await scene.purser.person()];
    const teamId = await scene.purser.organization(owner, { members: [member] });
    const team = await manual("ACTIVE", { owner, teamId });
    for (const call of [portal, cancel, resume])
      expect(await refusalOf(call({ ...team, owner: member }))).toBe("FORBIDDEN");
    expect(await refusalOf(portal(team))).toBe("NOT_SUPPORTED_BY_PROVIDER");
  });
});
