import { day, hour } from "@purser/core/testing";
import { billingCheckouts, subscriptions } from "@purser/db";
import { type Person, type TestPurser, createTestPurser, refusalOf } from "@purser/testing";
import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { resolveCheckoutReturn } from "../../service/resolve-checkout.ts";
import { goodCard } from "../../testing/sandbox-fake.ts";
import { payCheckout } from "../checkouts.ts";

let purser: TestPurser;
let owner: Person;

beforeAll(async () => {
  purser = await createTestPurser();
  owner = await purser.person();
});
afterAll(() => purser.close());

const controls = (idempotencyKey: string | null = null) =>
  purser.as(owner, { idempotencyKey }).sandbox.billing;
const later = (milliseconds: number) => new Date(purser.clock.now().getTime() + milliseconds);

/** A new team that bought a plan on the checkout page. */
async function subscribed(planId = "local_team") {
  const teamId = await purser.organization(owner);
  await purser.as(owner).billing.checkout({ teamId, planId, variantId: `${planId}_monthly` });
  const ours = and(eq(billingCheckouts.organizationId, teamId), eq(billingCheckouts.status, "OPEN"));
  const [checkout] = await purser.db.select().from(billingCheckouts).where(ours);
  await payCheckout(purser.platform, checkout!.reference!, goodCard);
  await resolveCheckoutReturn(purser.platform, checkout!.id);
  const subscription = await shown(teamId);
  return { teamId, subscriptionId: subscription!.id };
}

const shown = (organizationId: string) => purser.as(owner).organizations.subscription.get({ organizationId });

describe("sandbox.billing.advance", () => {
  it("returns the advanced subscription, which every reader then sees", async () => {
    const { teamId, subscriptionId } = await subscribed("local_business");
    const { currentPeriodEnd: trialEnd, isTrial } = (await shown(teamId))!;
    expect(isTrial).toBe(true);
    const after = await controls().advance({ subscriptionId, to: trialEnd });
    expect(after).toMatchObject({
      id: subscriptionId,
      organizationId: teamId,
      status: "ACTIVE",
      currentPeriodStart: trialEnd,
    });
    expect(await shown(teamId)).toMatchObject(after);
    // Its webhooks change nothing more.
    await purser.drain();
    expect(await shown(teamId)).toMatchObject({ ...after, isTrial: false });
  });

  it("uses the subscription's own clock, which never goes back", async () => {
    const { subscriptionId } = await subscribed();
    const advance = (to: Date) => controls().advance({ subscriptionId, to });
    expect(await refusalOf(advance(later(-1)))).toBe("VALIDATION_FAILED");
    const first = await advance(later(40 * day));
    expect(await advance(later(40 * day))).toEqual(first);
    expect(await refusalOf(advance(later(39 * day)))).toBe("VALIDATION_FAILED");
    expect(await refusalOf(advance(later(6 * 365 * day)))).toBe("VALIDATION_FAILED");
  });

  it("has one effect per idempotency key, and writes an audit entry", async () => {
    const { teamId, subscriptionId } = await subscribed();
    const to = later(hour);
    const repeat = () => controls(`advance-${subscriptionId}`).advance({ subscriptionId, to });
    expect(await repeat()).toEqual(await repeat());
    const entries = await purser.as(owner).organizations.audit.list({ id: teamId });
    const acts = entries.filter(({ action }) => action === "sandbox.billing.advance");
    expect(acts).toMatchObject([{ subject: subscriptionId, details: { to: to.toISOString() } }]);
  });
});

describe("sandbox.billing.replaceCard", () => {
  it("makes renewals fail, and pays the open invoice with a card that succeeds", async () => {
    const { teamId, subscriptionId } = await subscribed();
    await controls().replaceCard({ subscriptionId, card: "fails" });
    const { currentPeriodEnd } = (await shown(teamId))!;
    const pastDue = await controls().advance({ subscriptionId, to: currentPeriodEnd });
    expect(pastDue.status).toBe("PAST_DUE");
    const recovered = await controls().replaceCard({ subscriptionId, card: "succeeds" });
    expect(recovered).toEqual({ ...pastDue, status: "ACTIVE" });
  });

  it("is refused once the subscription has ended, after fifteen days of failed payments", async () => {
    const { teamId, subscriptionId } = await subscribed();
    await controls().replaceCard({ subscriptionId, card: "fails" });
    const { currentPeriodEnd } = (await shown(teamId))!;
    const to = new Date(currentPeriodEnd.getTime() + 15 * day);
    expect(await controls().advance({ subscriptionId, to })).toMatchObject({ status: "CANCELED" });
    const refusal = refusalOf(controls().replaceCard({ subscriptionId, card: "succeeds" }));
    expect(await refusal).toBe("SUBSCRIPTION_ENDED");
  });
});

describe("every control of the built-in payment provider", () => {
  it("makes its caller the actor of what it changes, and the webhook that it causes adds nothing", async () => {
    const { teamId, subscriptionId } = await subscribed();
    await purser.drain();
    const { currentPeriodEnd } = (await shown(teamId))!;
    await controls().replaceCard({ subscriptionId, card: "fails" });
    await controls().advance({ subscriptionId, to: currentPeriodEnd });
    await controls().replaceCard({ subscriptionId, card: "succeeds" });
    await purser.drain();
    const events = await purser.as(owner).events.list({ organizationId: teamId, subject: subscriptionId });
    expect(events.toReversed().map(({ type, actor }) => [type, actor?.id ?? null])).toEqual([
      ["subscription.created", null],
      ["subscription.past_due", owner.userId],
      ["subscription.renewed", owner.userId],
    ]);
  });

  it("accepts subscriptions of the built-in provider only", async () => {
    const { subscriptionId } = await subscribed();
    const replace = (id: string) => refusalOf(controls().replaceCard({ subscriptionId: id, card: "fails" }));
    const its = eq(subscriptions.id, subscriptionId);
    for (const [provider, refusal] of [
      ["stripe", "NOT_SUPPORTED_BY_PROVIDER"],
      [null, "NOT_SUPPORTED_BY_PROVIDER"],
    ] as const) {
      await purser.db.update(subscriptions).set({ provider }).where(its);
      expect(await replace(subscriptionId)).toBe(refusal);
    }
    expect(await replace(purser.unknownId("sub"))).toBe("SUBSCRIPTION_NOT_FOUND");
  });

  it("is refused when the provider is no longer configured", async () => {
    const other = await createTestPurser({ settings: { sandboxBilling: false } });
    const person = await other.person();
    const organizationId = await other.organization(person);
    const now = other.clock.now();
    const id = other.unknownId("sub");
    await other.db.insert(subscriptions).values({
      organizationId,
      id,
      provider: "local",
      customerId: "cus_1",
      status: "ACTIVE",
      planId: "local_team",
      variantId: "local_team_monthly",
      currentPeriodStart: now,
      currentPeriodEnd: new Date(now.getTime() + day),
      cancelAtPeriodEnd: false,
    });
    const advance = other.as(person).sandbox.billing.advance({ subscriptionId: id, to: now });
    expect(await refusalOf(advance)).toBe("PROVIDER_NOT_CONFIGURED");
    await other.close();
  });
});
