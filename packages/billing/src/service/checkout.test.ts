import { day, hour, minute } from "@purser/core/testing";
import { billingCheckouts, billingCustomers, sandboxCheckouts } from "@purser/db";
import { type Person, countWaitingForLocks, problemOf, refusalOf } from "@purser/testing";
import { type BillingScene, billingScene } from "@purser/testing/billing";
import { asc, eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { BillingError } from "../ports.ts";
import { openCheckoutPage, payCheckout } from "../sandbox/checkouts.ts";
import { synchronizeSubscription } from "./synchronize.ts";
import { boughtSubscription } from "../testing/fake.ts";
import { goodCard } from "../testing/sandbox-fake.ts";

let scene: BillingScene;
let owner: Person;
let teamId: string;

beforeAll(async () => {
  scene = await billingScene("local");
});
afterAll(() => scene.close());
beforeEach(async () => {
  ({ owner, teamId } = await scene.team());
});
afterEach(() => scene.intercept(null));

interface Offer {
  planId?: string;
  variantId?: string;
  redirectUrl?: string;
}

const team = { planId: "local_team", variantId: "local_team_monthly" };
const starter = { planId: "local_starter", variantId: "local_starter_yearly" };

const checkout = (offer: Offer = {}, by = owner, idempotencyKey: string | null = null) =>
  scene.purser.as(by, { idempotencyKey }).billing.checkout({ teamId, ...team, ...offer });

const rows = () =>
  scene.purser.db
    .select()
    .from(billingCheckouts)
    .where(eq(billingCheckouts.organizationId, teamId))
    .orderBy(asc(billingCheckouts.id));
const statuses = async () => (await rows()).map(({ status }) => status);

const trail = async (action: string) => {
  const entries = await scene.purser.as(owner).organizations.audit.list({ id: teamId });
  return entries.filter((entry) => entry.action === action);
};

const referenceIn = (url: string) => url.split("/").at(-1)!;
const pageAt = async (url: string) =>
  (await openCheckoutPage(scene.purser.platform, referenceIn(url)))?.status;
const outage = () => Promise.reject(new BillingError("outage", "No answer"));

describe("billing.checkout", () => {
  it("returns the URL of the payment page, and writes an audit entry", async () => {
    const url = await checkout();
    expect(await openCheckoutPage(scene.purser.platform, referenceIn(url))).toMatchObject({
      plan: { id: "local_team" },
      variant: { id: "local_team_monthly" },
      email: owner.email,
      status: "open",
    });
    const [row] = await rows();
    const details = { provider: "local", ...team };
    expect(await trail("billing.checkout")).toMatchObject([
      { subject: row!.id, actor: { id: owner.userId }, details },
    ]);
  });

  it("accepts only offers on sale, here and at the provider", async () => {
    for (const offer of [
      { planId: "local_gold" },
      { variantId: "local_team_weekly" },
      { variantId: starter.variantId },
      { planId: "" },
    ])
      expect(await refusalOf(checkout(offer))).toBe("PLAN_NOT_FOUND");
    scene.intercept({ createCheckout: () => Promise.reject(new BillingError("not_found", "Not any more")) });
    expect(await refusalOf(checkout())).toBe("PLAN_NOT_FOUND");
  });

  it("is for owners, checked again before the response", async () => {
    const [member, second] = [await scene.purser.person(), await scene.purser.person()];
    teamId = await scene.purser.organization(owner, { members: [member], owners: [second] });
    expect(await refusalOf(checkout({}, member))).toBe("FORBIDDEN");
    // Plans are public, so an unknown one is reported first.
    expect(await refusalOf(checkout({ planId: "local_gold" }, member))).toBe("PLAN_NOT_FOUND");
    const stranger = await scene.purser.person();
    expect(await refusalOf(checkout({ planId: "local_gold" }, stranger))).toBe("ORGANIZATION_NOT_FOUND");
    const { members } = scene.purser.as(owner).organizations;
    const membership = (await members.list({ organizationId: teamId })).find(
      ({ userId }) => userId === second.userId,
    );
    scene.intercept({
      async createCustomer() {
        await members.updateRole({ id: membership!.id, role: "MEMBER" });
        return "customer";
      },
    });
    expect(await refusalOf(checkout({}, second))).toBe("FORBIDDEN");
  });

  it("is refused to a team with a live subscription, paid or not", async () => {
    const administrator = await scene.purser.person({ isAdministrator: true });
    const put = (status: "ACTIVE" | "PAST_DUE" | "UNPAID" | "INCOMPLETE" | "CANCELED") =>
      scene.purser.as(administrator).billing.sync({
        id: `manual ${teamId}`,
        teamId,
        customerId: "customer",
        status,
        planId: "plan",
        variantId: "variant",
        currentPeriodStart: scene.purser.clock.now(),
        currentPeriodEnd: new Date(scene.purser.clock.now().getTime() + day),
        canceledAt: null,
        cancelAtPeriodEnd: false,
      });
    for (const status of ["ACTIVE", "PAST_DUE", "UNPAID"] as const) {
      await put(status);
      // More often than pages are allowed: a refusal opens none.
      for (let count = 0; count < 12; count += 1)
        expect(await refusalOf(checkout())).toBe("ALREADY_SUBSCRIBED");
    }
    for (const status of ["INCOMPLETE", "CANCELED"] as const) {
      await put(status);
      expect(await checkout()).toMatch(/^http/);
    }
  });

  it("redirects to trusted origins only", async () => {
    for (const redirectUrl of [
      "https://elsewhere.example/",
      "http://localhost:30001/",
      "http://localhost.elsewhere.example:3000/",
      "//localhost:3000/",
      "javascript:alert(1)",
    ])
      expect(await refusalOf(checkout({ redirectUrl }))).toBe("VALIDATION_FAILED");
    expect(await rows()).toEqual([]);
    expect(await checkout({ redirectUrl: "http://localhost:3000/welcome?from=mail" })).toMatch(/^http/);
  });

  it("returns one page to all tabs of all owners, for one customer, with one provider call", async () => {
    const second = await scene.purser.person();
    teamId = await scene.purser.organization(owner, { owners: [second] });
    let made = 0;
    const [called, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    // This provider has neither customer lookup nor idempotency keys.
    scene.intercept({
      createCustomer: () => {
        called.resolve();
        return answer.promise.then(() => `customer ${(made += 1)}`);
      },
      createCheckout: async ({ customerId }) => ({
        reference: `${teamId} ${(made += 1)} ${customerId}`,
        url: `https://pay.example/${made}`,
        expiresAt: new Date(scene.purser.clock.now().getTime() + day),
      }),
    });
    const tabs = [1, 2, 3, 4].map((tab) => checkout({}, tab % 2 === 0 ? owner : second));
    await called.promise;
    answer.resolve();
    const urls = await Promise.all(tabs);
    expect(new Set(urls)).toEqual(new Set(["https://pay.example/2"]));
    expect(await checkout()).toBe(urls[0]);
    expect(await statuses()).toEqual(["OPEN"]);
    expect(await trail("billing.checkout")).toHaveLength(1);
    const theirs = eq(billingCustomers.organizationId, teamId);
    const customers = await scene.purser.db.select().from(billingCustomers).where(theirs);
    expect(customers).toMatchObject([{ provider: "local", customerId: "customer 1" }]);
    await checkout(starter, second);
    expect((await rows()).at(-1)?.reference).toBe(`${teamId} 3 customer 1`);
  });

  it("counts one page of any number of tabs against the limit", async () => {
    const urls = await Promise.all(Array.from({ length: 15 }, () => checkout()));
    expect(new Set(urls).size).toBe(1);
    for (let count = 1; count < 10; count += 1) await checkout(count % 2 === 0 ? team : starter);
    expect(await refusalOf(checkout())).toBe("RATE_LIMITED");
  });

  it("supersedes a checkout for another plan, whose page then accepts no payment", async () => {
    const first = await checkout();
    const second = await checkout(starter);
    expect(await statuses()).toEqual(["SUPERSEDED", "OPEN"]);
    await scene.purser.drain();
    expect([await pageAt(first), await pageAt(second)]).toEqual(["expired", "open"]);
    expect(await checkout({ ...starter, redirectUrl: "http://localhost:3000/elsewhere" })).not.toBe(second);
  });

  it("is limited per user, of however many teams, except for a page that is open", async () => {
    const other = await scene.purser.organization(owner);
    const url = await checkout();
    for (let count = 0; count < 20; count += 1) expect(await checkout()).toBe(url);
    for (let count = 1; count < 10; count += 1)
      await scene.purser.as(owner).billing.checkout({ teamId: other, ...(count % 2 === 0 ? team : starter) });
    const { requests } = scene.fake;
    const refusal: unknown = await checkout(starter).catch(problemOf);
    expect(refusal).toMatchObject({ code: "RATE_LIMITED", retryAfterSeconds: 60 });
    expect(scene.fake.requests).toBe(requests);
    expect([await checkout(), await statuses()]).toEqual([url, ["OPEN"]]);
    scene.purser.clock.advance(minute);
    expect(await checkout(starter)).toMatch(/^http/);
  });

  it("leaves one page open after concurrent checkouts", async () => {
    const offers = [team, starter, team, starter, team, starter];
    const results = await Promise.allSettled(offers.map((offer) => checkout(offer)));
    const refusals = results.filter(({ status }) => status === "rejected") as PromiseRejectedResult[];
    for (const { reason } of refusals) expect(problemOf(reason).code).toBe("CHECKOUT_SUPERSEDED");
    const url = await checkout(starter);
    await scene.purser.drain();
    const theirs = eq(sandboxCheckouts.organizationId, teamId);
    const atProvider = await scene.purser.db.select().from(sandboxCheckouts).where(theirs);
    const payable = atProvider.filter(({ expiresAt }) => expiresAt > scene.purser.clock.now());
    expect(payable.map(({ reference }) => reference)).toEqual([referenceIn(url)]);
  });

  it("expires a page that the provider created during the race", async () => {
    scene.intercept({ createCheckout: outage });
    await refusalOf(checkout());
    const ended: string[] = [];
    scene.intercept({ expireCheckout: async (reference) => void ended.push(reference) });
    const results = await scene.purser.db.transaction(async (transaction) => {
      const page = { reference: `page of ${teamId}`, url: "https://pay.example/" };
      const its = eq(billingCheckouts.organizationId, teamId);
      await transaction.update(billingCheckouts).set(page).where(its);
      const other = checkout(starter);
      await expect.poll(() => countWaitingForLocks(scene.purser.db)).toBe(1);
      return [other];
    });
    await results[0];
    await scene.purser.drain();
    expect(ended).toEqual([`page of ${teamId}`]);
  });

  it("has one effect per idempotency key, even after another checkout superseded it", async () => {
    const url = await checkout({}, owner, "key");
    const other = await checkout(starter);
    expect(await checkout({}, owner, "key")).toBe(url);
    expect(await refusalOf(checkout(starter, owner, "key"))).toBe("IDEMPOTENCY_KEY_REUSED");
    expect((await rows()).at(-1)).toMatchObject({ status: "OPEN", url: other });
  });

  it.each(["createCustomer", "createCheckout"] as const)(
    "says so when the provider does not answer (%s), and goes on with the same checkout later",
    async (call) => {
      scene.intercept({ [call]: outage });
      expect(await refusalOf(checkout({}, owner, `down ${call}`))).toBe("PROVIDER_ERROR");
      const id = (await rows())[0]!.id;
      expect(await trail("billing.checkout")).toEqual([]);
      scene.intercept(null);
      const url = await checkout({}, owner, `down ${call}`);
      expect(await rows()).toMatchObject([{ id, status: "OPEN", url }]);
    },
  );

  it("creates another page shortly before the first one expires", async () => {
    const first = await checkout();
    scene.purser.clock.advance(day - 6 * minute);
    expect(await checkout()).toBe(first);
    scene.purser.clock.advance(2 * minute);
    const second = await checkout();
    expect(second).not.toBe(first);
    expect(await pageAt(second)).toBe("open");
  });

  it("creates another page when the first payment was not confirmed", async () => {
    const first = await checkout();
    scene.purser.clock.advance(minute);
    const confirmedLater = { ...goodCard, number: "4000 0025 0000 3155" };
    await payCheckout(scene.purser.platform, referenceIn(first), confirmedLater);
    const subscriptionId = await boughtSubscription(scene.fake.provider, referenceIn(first));
    await synchronizeSubscription(scene.purser.platform, "local", { subscriptionId, organizationId: teamId });
    const { organizations } = scene.purser.as(owner);
    const subscription = await organizations.subscription.get({ organizationId: teamId });
    expect(subscription).toMatchObject({ status: "INCOMPLETE" });
    scene.purser.clock.advance(minute);
    const second = await checkout();
    expect([await pageAt(first), await pageAt(second)]).toEqual(["completed", "open"]);
    expect(await checkout()).toBe(second);
  });

  it("returns the same page after a subscription that ended in the future, where its clock was moved to", async () => {
    const { subscriptionId } = await scene.fake.complete(referenceIn(await checkout()));
    await scene.fake.renew(subscriptionId);
    await scene.fake.end(subscriptionId);
    await synchronizeSubscription(scene.purser.platform, "local", { subscriptionId, organizationId: teamId });
    expect(await checkout()).toBe(await checkout());
  });

  it("closes when its team is deleted", async () => {
    const url = await checkout();
    const ended: string[] = [];
    scene.intercept({
      async expireCheckout(reference) {
        ended.push(reference);
        // The provider has already expired it.
        throw new BillingError("not_found", "There is no such checkout any more");
      },
    });
    await scene.purser.as(owner).organizations.delete({ id: teamId });
    // Before the job, which may be late: afterwards, no member could cancel what the page sells.
    expect(ended).toEqual([referenceIn(url)]);
    expect(await statuses()).toEqual(["SUPERSEDED"]);
  });

  it("creates another checkout once the provider may have forgotten the idempotency key", async () => {
    scene.intercept({ createCheckout: outage });
    await refusalOf(checkout());
    scene.intercept(null);
    scene.purser.clock.advance(12 * hour);
    await checkout();
    expect(await statuses()).toEqual(["SUPERSEDED", "OPEN"]);
  });
});
