import { organizations, subscriptions } from "@purser/db";
import { type Meter, noopMeter } from "@purser/platform";
import type { Person } from "@purser/testing";
import { type BillingScene, billingScene } from "@purser/testing/billing";
import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { SubscriptionState } from "../ports.ts";
import { synchronizeSubscription } from "../service/synchronize.ts";

let scene: BillingScene;
let owner: Person;
let teamId: string;
/** The counted metrics. */
const counted: unknown[] = [];
const meter: Meter = { ...noopMeter, count: ({ name }, labels) => void counted.push([name, labels]) };

beforeAll(async () => {
  scene = await billingScene("local");
  // Stores the catalog, which has the names of the plans.
  await scene.purser.as(null).billing.plans.list();
});
afterAll(() => scene.close());
beforeEach(async () => {
  ({ owner, teamId } = await scene.team());
  counted.length = 0;
});
afterEach(() => scene.intercept(null));

const newId = () => `sub_${Math.random()}`;

/** The provider reports this state of a subscription of the team. */
async function report(id: string, fields: Partial<SubscriptionState>): Promise<void> {
  const now = scene.purser.clock.now();
  scene.intercept({
    subscription: async () => ({
      id,
      customerId: "customer",
      organizationId: teamId,
      status: "ACTIVE",
      rawStatus: "active",
      planId: "local_team",
      variantId: "local_team_monthly",
      currentPeriodStart: now,
      currentPeriodEnd: new Date("2027-03-01T00:00:00.000Z"),
      isTrial: false,
      canceledAt: null,
      cancelAtPeriodEnd: false,
      cancelAt: null,
      ...fields,
    }),
  });
  await synchronizeSubscription({ ...scene.purser.platform, meter }, "local", {
    subscriptionId: id,
    organizationId: teamId,
  });
}

const mails = async () => {
  await scene.purser.drain();
  return scene.purser.mails.filter(({ to }) => to === owner.email);
};
const subjects = async () => (await mails()).map(({ subject }) => subject);
const changes = async () => {
  const entries = await scene.purser.as(owner).organizations.audit.list({ id: teamId });
  return entries
    .filter(({ action }) => action === "billing.synchronize")
    .map(({ details }) => details["change"])
    .toReversed();
};

describe("the events of a subscription", () => {
  it("are written for each change of the provider, with the subscription as it is then", async () => {
    const id = newId();
    const state = {
      currentPeriodStart: scene.purser.clock.now(),
      currentPeriodEnd: new Date("2026-04-01T00:00:00.000Z"),
    };
    const next = {
      currentPeriodStart: state.currentPeriodEnd,
      currentPeriodEnd: new Date("2026-05-01T00:00:00.000Z"),
    };
    const canceledAt = new Date("2026-04-02T00:00:00.000Z");
    await report(id, state);
    await report(id, state);
    await report(id, { ...next, status: "PAST_DUE", rawStatus: "past_due" });
    await report(id, next);
    const canceled = { ...next, cancelAtPeriodEnd: true, canceledAt };
    await report(id, canceled);
    const ended = { ...canceled, status: "CANCELED", cancelAtPeriodEnd: false } as const;
    await report(id, { ...ended, rawStatus: "ended" });
    const events = await scene.purser.as(owner).events.list({ organizationId: teamId });
    const subscription = {
      id,
      organizationId: teamId,
      customerId: "customer",
      status: "ACTIVE",
      planId: "local_team",
      variantId: "local_team_monthly",
      ...state,
      canceledAt: null,
      cancelAtPeriodEnd: false,
    };
    expect(events.toReversed().map(({ type, data }) => [type, data])).toEqual([
      ["subscription.created", subscription],
      ["subscription.past_due", { ...subscription, ...next, status: "PAST_DUE" }],
      ["subscription.renewed", { ...subscription, ...next }],
      ["subscription.updated", { ...subscription, ...canceled }],
      ["subscription.canceled", { ...subscription, ...ended }],
    ]);
    expect(events.map(({ actor, subject }) => [actor, subject])).toEqual(
      events.map(() => [null, { type: "subscription", id }]),
    );
    // Owners learn that the renewal failed, and need not act once it is paid.
    expect(await subjects()).toEqual([
      "A payment for Team has failed",
      "Team ends on 2026-05-01",
      "Team has ended",
    ]);
  });
});

describe("the mails about a subscription", () => {
  it("report no end of one whose first payment was never made", async () => {
    const [live, abandoned] = [newId(), newId()];
    await report(live, {});
    await report(abandoned, { status: "INCOMPLETE", rawStatus: "incomplete" });
    await report(abandoned, { status: "CANCELED", rawStatus: "incomplete_expired" });
    expect([await changes(), await subjects()]).toEqual([["started", "expired"], []]);
  });

  it("report a pause as such, and not as a failed payment", async () => {
    const id = newId();
    await report(id, {});
    await report(id, { status: "UNPAID", rawStatus: "paused" });
    await report(id, {});
    expect([await changes(), await subjects()]).toEqual([
      ["started", "paused", "unpaused"],
      ["Team is paused"],
    ]);
    expect((await mails())[0]?.text).not.toContain("failed");
  });

  it("report a pause after a failed payment as a payment that is due", async () => {
    const id = newId();
    await report(id, {});
    await report(id, { status: "UNPAID", rawStatus: "paused: first_payment_failure" });
    expect([await changes(), await subjects()]).toEqual([
      ["started", "unpaid"],
      ["Payment for Team is overdue"],
    ]);
    expect((await mails())[0]?.text).toContain("failed and is still due");
  });

  it("warn owners of a second live subscription, which the operator is alerted of, too", async () => {
    const [first, second] = [newId(), newId()];
    await report(first, { planId: "local_starter", variantId: "local_starter_monthly" });
    await report(second, {});
    expect([await changes(), await subjects()]).toEqual([
      ["started", "started", "duplicated"],
      ["Acme has more than one subscription"],
    ]);
    expect((await mails())[0]?.text).toMatch(/to Team has started, besides the one to Starter/);
    // Nothing is reported twice.
    await report(second, {});
    expect(await subjects()).toHaveLength(1);
    expect(counted).toEqual([["purser_billing_duplicates_total", { provider: "local" }]]);
    await report(second, { status: "CANCELED", rawStatus: "canceled" });
    const last = (await mails()).at(-1)!;
    expect([last.subject, last.text]).toEqual([
      "Team has ended",
      expect.stringContaining("to Starter continues"),
    ]);
  });

  it("do not say that a second one is charged, which may be an administrator's grant", async () => {
    await report(newId(), {});
    const administrator = await scene.purser.person({ isAdministrator: true });
    await scene.purser.as(administrator).billing.sync({
      id: `grant ${teamId}`,
      teamId,
      customerId: "customer",
      status: "ACTIVE",
      planId: "local_business",
      variantId: "local_business_monthly",
      currentPeriodStart: scene.purser.clock.now(),
      currentPeriodEnd: new Date("2027-03-01T00:00:00.000Z"),
      canceledAt: null,
      cancelAtPeriodEnd: false,
    });
    const [mail] = await mails();
    expect(mail?.text).toMatch(/to Business has started, besides the one to Team\. You may be charged/);
  });

  it("have the organization's name on one line, even if an earlier version stored line breaks", async () => {
    const name = "Acme\n\nhttps://evil.example";
    await scene.purser.db.update(organizations).set({ name }).where(eq(organizations.id, teamId));
    const id = newId();
    await report(id, {});
    await report(id, { status: "PAST_DUE", rawStatus: "past_due" });
    expect((await mails())[0]?.text.split("\n")[0]).toBe(
      "The payment of Acme https://evil.example for Team failed. It will be retried over the next days.",
    );
  });

  it("announce the end of an unpaid one without calling it active", async () => {
    const id = newId();
    await report(id, {});
    await report(id, { status: "PAST_DUE", rawStatus: "past_due", cancelAtPeriodEnd: true });
    const text = (await mails()).at(-1)?.text;
    expect(text).toMatch(
      /^The subscription of Acme to Team was canceled, and ends on 2027-03-01 \(UTC\)\.\n/,
    );
  });

  it("report an end as the end of the only subscription", async () => {
    const id = newId();
    await report(id, {});
    await report(id, { status: "CANCELED", rawStatus: "canceled" });
    const [mail] = await mails();
    expect([mail?.subject, mail?.text]).toEqual(["Team has ended", expect.stringContaining("buy a new one")]);
    const rows = await scene.purser.db.select().from(subscriptions).where(eq(subscriptions.id, id));
    expect(rows[0]?.status).toBe("CANCELED");
  });
});
