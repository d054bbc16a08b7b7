import { day, hour, minute } from "@purser/core/testing";
import { billingCheckouts, organizations, sandboxCheckouts, subscriptions } from "@purser/db";
import { platformJobs } from "@purser/platform/jobs";
import { type Person, type TestPurser, createTestPurser, handlerOf } from "@purser/testing";
import { eq, inArray } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { billingJobs } from "../job-definitions.ts";
import { BillingError, type PaymentProvider, type Payments } from "../ports.ts";
import type { BillingFake } from "../testing/fake.ts";
import { startSandboxFake } from "../testing/sandbox-fake.ts";
import { synchronizeSubscription } from "./synchronize.ts";

let purser: TestPurser;
let fake: BillingFake;
let administrator: Person;
/** Overrides operations of the built-in provider. */
let replacement: Partial<PaymentProvider> = {};
/** The ids of fetched subscriptions, in order. */
let fetched: string[] = [];

const outage = () => Promise.reject(new BillingError("outage", "No answer"));

/** The built-in provider, and before it one that never responds. */
const payments: Payments = {
  configured: ["stripe", "local"],
  async at(name) {
    const subscription: PaymentProvider["subscription"] = (id) => {
      fetched.push(id);
      return name === "local" ? fake.provider.subscription(id) : outage();
    };
    const own = { ...fake.provider, subscription, ...replacement };
    if (name === "local") return own;
    const silent = { plans: outage, checkoutResult: outage, subscriptionsSince: outage };
    return { ...own, name, recognizes: () => false, ...silent };
  },
};

beforeAll(async () => {
  purser = await createTestPurser({ payments });
  fake = await startSandboxFake(purser.platform);
  administrator = await purser.person({ isAdministrator: true });
});
afterAll(() => purser.close());
beforeEach(() => {
  replacement = { subscriptionsSince: async () => [] };
});
// What is left of a test would be fetched in the next one.
afterEach(async () => {
  await purser.db.delete(billingCheckouts);
  await purser.db.delete(subscriptions);
  await purser.db.$client`DELETE FROM pgboss.job WHERE name = ${billingJobs.synchronize.name}`;
});

const job = { id: "job", attempt: 1, last: true };

/** Runs the job and what it enqueues. Returns the ids of the fetched subscriptions. */
async function reconcile(): Promise<string[]> {
  fetched = [];
  await handlerOf(purser.handlers, billingJobs.reconcile)(null, job);
  await purser.drain();
  return fetched;
}

async function buyer() {
  const owner = await purser.person();
  const teamId = await purser.organization(owner);
  const url = await purser
    .as(owner)
    .billing.checkout({ teamId, planId: "local_team", variantId: "local_team_monthly" });
  return { owner, teamId, reference: url.split("/").at(-1)! };
}

async function subscriber() {
  const { owner, teamId, reference } = await buyer();
  const { subscriptionId } = await fake.complete(reference);
  await synchronizeSubscription(purser.platform, "local", { subscriptionId, organizationId: teamId });
  return { owner, teamId, subscriptionId };
}

type Team = Pick<Awaited<ReturnType<typeof buyer>>, "owner" | "teamId">;

const read = ({ owner, teamId }: Team) =>
  purser.as(owner).organizations.subscription.get({ organizationId: teamId });
const checkoutOf = async ({ teamId }: Team) => {
  const theirs = eq(billingCheckouts.organizationId, teamId);
  return (await purser.db.select().from(billingCheckouts).where(theirs))[0]!;
};

describe("reconciliation", () => {
  it("finds new subscriptions of our teams at the providers that answer", async () => {
    const team = await buyer();
    const { subscriptionId } = await fake.complete(team.reference);
    const foreign = { subscriptionId: purser.unknownId("sub"), organizationId: null };
    const elsewhere = { ...foreign, organizationId: purser.unknownId("org") };
    replacement = {
      subscriptionsSince: async (since) => [
        foreign,
        elsewhere,
        ...(await fake.provider.subscriptionsSince(since)),
      ],
    };
    expect(await reconcile()).toContain(subscriptionId);
    expect(await read(team)).toMatchObject({ id: subscriptionId, status: "ACTIVE" });
    expect(await reconcile()).not.toContain(subscriptionId);
  });

  it("does not starve a provider behind the backlog of another one", async () => {
    const team = await subscriber();
    const [row] = await purser.db.select().from(subscriptions);
    const backlog = Array.from({ length: 501 }, (_, number) => ({
      ...row!,
      id: `sub_backlog${number}`,
      provider: "stripe" as const,
      currentPeriodEnd: new Date(0),
    }));
    await purser.db.insert(subscriptions).values(backlog);
    purser.clock.advance(day);
    await handlerOf(purser.handlers, billingJobs.reconcile)(null, job);
    const its = eq(subscriptions.id, team.subscriptionId);
    const [after] = await purser.db.select().from(subscriptions).where(its);
    expect(after?.checkedAt).toEqual(purser.clock.now());
  });

  it("does not starve subscriptions behind others that stay overdue", { tags: ["slow"] }, async () => {
    const team = await subscriber();
    const [row] = await purser.db.select().from(subscriptions);
    purser.clock.advance(day);
    const checkedAt = new Date(purser.clock.now().getTime() - 2 * hour);
    const overdue = { status: "UNPAID" as const, currentPeriodEnd: new Date(0), checkedAt };
    const backlog = Array.from({ length: 500 }, (_, number) => ({
      ...row!,
      ...overdue,
      id: `sub_overdue${number}`,
    }));
    const entered = { ...row!, id: "sub_entered", checkedAt: null };
    await purser.db.insert(subscriptions).values([...backlog, entered]);
    await handlerOf(purser.handlers, billingJobs.reconcile)(null, job);
    const its = inArray(subscriptions.id, [team.subscriptionId, entered.id]);
    const after = await purser.db.select().from(subscriptions).where(its);
    expect(after.map((one) => one.checkedAt)).toEqual([purser.clock.now(), purser.clock.now()]);
  });

  it("does not starve a provider behind open checkouts of one that fails", async () => {
    const paid = await buyer();
    await fake.complete(paid.reference);
    const { createdAt, ...row } = await checkoutOf(paid);
    const older = { createdAt: new Date(createdAt.getTime() - 1), provider: "stripe" as const };
    const teams = Array.from({ length: 500 }, () => ({
      id: purser.unknownId("org"),
      name: "Team",
      createdAt,
    }));
    await purser.db.insert(organizations).values(teams);
    const abandoned = teams.map(({ id: organizationId }, number) => ({
      ...row,
      ...older,
      organizationId,
      id: purser.unknownId("chk"),
      reference: `cs_${number}`,
    }));
    await purser.db.insert(billingCheckouts).values(abandoned);
    purser.clock.advance(15 * minute);
    await reconcile();
    expect(await checkoutOf(paid)).toMatchObject({ status: "COMPLETED" });
  });

  it("ends before its job does, and goes on with the other open checkouts in the next run", async () => {
    for (let count = 0; count < 5; count += 1) await buyer();
    purser.clock.advance(15 * minute);
    const asked: string[] = [];
    replacement.checkoutResult = async (reference) => {
      asked.push(reference);
      purser.clock.advance(minute);
      return { status: "unpaid" };
    };
    await reconcile();
    expect(asked).toHaveLength(3);
    await reconcile();
    expect(new Set(asked).size).toBe(5);
  });

  it("enqueues one job per subscription during an outage", async () => {
    const team = await subscriber();
    const its = eq(subscriptions.id, team.subscriptionId);
    await purser.db.update(subscriptions).set({ provider: "stripe" }).where(its);
    purser.clock.advance(day);
    const pending = async () => {
      const jobs = await purser.db.$client`
        SELECT FROM pgboss.job WHERE name = ${billingJobs.synchronize.name} AND state IN ('created', 'retry')`;
      return jobs.length;
    };
    const before = await pending();
    for (let run = 0; run < 3; run += 1) {
      expect(await reconcile()).toEqual(run === 0 ? [team.subscriptionId] : []);
      purser.clock.advance(30 * minute);
    }
    expect((await pending()) - before).toBe(1);
  });

  it("leaves no dead job for a subscription that it will enqueue again", async () => {
    const synchronize = handlerOf(purser.handlers, billingJobs.synchronize);
    const pointer = { provider: "stripe", subscriptionId: "sub_1", organizationId: null } as const;
    await expect(synchronize(pointer, { ...job, last: false })).rejects.toThrow("No answer");
    await synchronize(pointer, job);
  });

  it("finds an unannounced change within a day", async () => {
    const team = await subscriber();
    await fake.cancelAtPeriodEnd(team.subscriptionId);
    purser.clock.advance(day - 1);
    expect(await reconcile()).toEqual([]);
    purser.clock.advance(1);
    expect(await reconcile()).toContain(team.subscriptionId);
    expect(await read(team)).toMatchObject({ cancelAtPeriodEnd: true });
  });

  it("fetches an overdue subscription hourly until its next period", async () => {
    const team = await subscriber();
    const { currentPeriodEnd } = (await read(team))!;
    purser.clock.set(new Date(currentPeriodEnd.getTime() - minute));
    await reconcile();
    // The provider renews it late.
    const present = await fake.provider.subscription(team.subscriptionId);
    replacement.subscription = async (id) => (fetched.push(id), present);
    purser.clock.advance(minute + hour);
    expect(await reconcile()).toContain(team.subscriptionId);
    expect(await reconcile()).not.toContain(team.subscriptionId);
    purser.clock.advance(hour);
    delete replacement.subscription;
    expect(await reconcile()).toContain(team.subscriptionId);
    expect(await read(team)).toMatchObject({ status: "ACTIVE", currentPeriodStart: currentPeriodEnd });
    purser.clock.advance(hour);
    expect(await reconcile()).not.toContain(team.subscriptionId);
  });

  it("does not fetch repeatedly from a provider that does not know it, or is not configured", async () => {
    const [gone, moved] = [await subscriber(), await subscriber()];
    const its = eq(subscriptions.id, moved.subscriptionId);
    await purser.db.update(subscriptions).set({ provider: "paddle", checkedAt: null }).where(its);
    replacement.subscription = async (id) => (fetched.push(id), null);
    purser.clock.advance(day);
    const first = await reconcile();
    expect(first).toContain(gone.subscriptionId);
    expect(first).not.toContain(moved.subscriptionId);
    expect(await reconcile()).toEqual([]);
    expect(await read(gone)).toMatchObject({ id: gone.subscriptionId, status: "ACTIVE" });
  });

  it("resolves open checkouts despite failures of others, and expires old ones", async () => {
    const [paid, unpaid, other] = [await buyer(), await buyer(), await buyer()];
    const { subscriptionId } = await fake.complete(paid.reference);
    const theirs = eq(billingCheckouts.organizationId, other.teamId);
    await purser.db.update(billingCheckouts).set({ provider: "stripe" }).where(theirs);
    const states = async () => {
      const all = [await checkoutOf(paid), await checkoutOf(unpaid), await checkoutOf(other)];
      return all.map(({ status }) => status);
    };
    purser.clock.advance(15 * minute - 1);
    await reconcile();
    expect(await states()).toEqual(["OPEN", "OPEN", "OPEN"]);
    purser.clock.advance(1);
    await reconcile();
    expect(await states()).toEqual(["COMPLETED", "OPEN", "OPEN"]);
    expect(await read(paid)).toMatchObject({ id: subscriptionId });
    purser.clock.advance(day);
    await reconcile();
    // The failing provider may have received a payment.
    expect(await states()).toEqual(["COMPLETED", "EXPIRED", "OPEN"]);
  });
});

describe("an open checkout that its provider does not know any more", () => {
  it("expires in its time, and holds up no other", async () => {
    const [gone, paid] = [await buyer(), await buyer()];
    await fake.complete(paid.reference);
    replacement.checkoutResult = async (reference) => {
      if (reference === gone.reference) throw new BillingError("not_found", "There is no such checkout");
      return fake.provider.checkoutResult(reference);
    };
    const states = async () => [(await checkoutOf(gone)).status, (await checkoutOf(paid)).status];
    purser.clock.advance(15 * minute);
    await reconcile();
    expect(await states()).toEqual(["OPEN", "COMPLETED"]);
    purser.clock.advance(day);
    await reconcile();
    expect(await states()).toEqual(["EXPIRED", "COMPLETED"]);
  });
});

describe("the end of a manual subscription", () => {
  it("is recorded once, and owners receive a mail", async () => {
    const owner = await purser.person();
    const teamId = await purser.organization(owner);
    const now = purser.clock.now();
    const id = `manual ${teamId}`;
    await purser.as(administrator).billing.sync({
      id,
      teamId,
      customerId: "customer",
      status: "PAST_DUE",
      planId: "plan",
      variantId: "variant",
      currentPeriodStart: now,
      currentPeriodEnd: new Date(now.getTime() + hour),
      canceledAt: null,
      cancelAtPeriodEnd: false,
    });
    await purser.as(owner).billing.cancel({ id });
    await reconcile();
    expect(await read({ owner, teamId })).toMatchObject({ status: "PAST_DUE" });
    purser.clock.advance(2 * hour);
    await Promise.all([reconcile(), reconcile()]);
    const [row] = await purser.db.select().from(subscriptions).where(eq(subscriptions.id, id));
    expect(row).toMatchObject({ status: "CANCELED", cancelAtPeriodEnd: false });
    const [event] = await purser.as(owner).events.list({ organizationId: teamId });
    const { canceledAt } = row!;
    expect(event).toMatchObject({
      type: "subscription.canceled",
      data: { status: "CANCELED", cancelAtPeriodEnd: false, canceledAt },
    });
    const entries = await purser.as(owner).organizations.audit.list({ id: teamId });
    const ends = entries.filter(({ action }) => action === "billing.reconcile");
    expect(ends).toMatchObject([{ actor: null, subject: id, details: { change: "ended" } }]);
    const mails = purser.mails.filter(
      ({ to, subject }) => to === owner.email && subject.endsWith("has ended"),
    );
    expect(mails).toHaveLength(1);
  });
});

describe("billing's hourly tasks", () => {
  it("delete unpaid checkouts of the built-in provider a day after they expired", async () => {
    const [paid, unpaid] = [await buyer(), await buyer()];
    await fake.complete(paid.reference);
    const left = async ({ reference }: { reference: string }) =>
      (await purser.db.select().from(sandboxCheckouts).where(eq(sandboxCheckouts.reference, reference)))
        .length;
    const states: number[][] = [];
    for (const wait of [2 * day, 1]) {
      purser.clock.advance(wait);
      await handlerOf(purser.handlers, platformJobs.purge)(null, job);
      states.push([await left(paid), await left(unpaid)]);
    }
    expect(states).toEqual([
      [1, 1],
      [1, 0],
    ]);
  });
});
