// @module-tag slow
import { paymentProviderNames } from "@purser/core";
import { day, isNightly, minute } from "@purser/core/testing";
import { connect } from "@purser/db";
import { createProviderLocks } from "@purser/platform";
import { type BillingScene, billingScene } from "@purser/testing/billing";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PaymentProviderName } from "../ports.ts";
import type { SignedEvent } from "../testing/fake.ts";

/** Every order of one to five of the events in the nightly profile; all of them in reverse order in the suite. */
const orders = isNightly ? arrangements([0, 1, 2, 3, 4]) : [[4, 3, 2, 1, 0]];
const copies = isNightly ? 50 : 2;

describe.each(paymentProviderNames)("the stored subscription of %s", (name: PaymentProviderName) => {
  let scene: BillingScene;
  beforeAll(async () => {
    scene = await billingScene(name);
  });
  afterAll(() => scene.close());

  /** A subscription with a history, and five of its events. */
  async function subscriptionWithHistory() {
    const { fake } = scene;
    const { owner, teamId, reference } = await scene.buyer();
    const { subscriptionId, events } = await fake.complete(reference);
    const steps = [fake.renew, fake.failPayment, fake.renew, fake.cancelAtPeriodEnd];
    for (const step of steps) events.push(...(await step.call(fake, subscriptionId)));
    const read = () => scene.purser.as(owner).organizations.subscription.get({ organizationId: teamId });
    const about = events.filter(isAboutSubscription);
    // Includes the first event: at some providers only that one names the organization.
    return { teamId, subscriptionId, events: [about[0]!, ...about.slice(-4)], read };
  }

  const isAboutSubscription = ({ body, headers }: SignedEvent) => {
    const { webhooks } = scene.fake.provider;
    const check = webhooks.verify(body, headers, scene.purser.clock.now());
    if (check.outcome === "refused") return false;
    return webhooks.read({ type: check.type, body: body.toString("utf8") })?.kind === "subscription";
  };

  async function expectAgreement({
    subscriptionId,
    teamId,
    read,
  }: Awaited<ReturnType<typeof subscriptionWithHistory>>) {
    const state = (await scene.fake.provider.subscription(subscriptionId))!;
    const {
      rawStatus: _status,
      organizationId: _team,
      checkoutId: _checkout,
      cancelAt: _end,
      isCanceledAtEstimated: _estimated,
      isPeriodEstimated: _guess,
      isPeriodStartEstimated: _guessedStart,
      isPeriodPaid: _paid,
      ...fields
    } = state;
    expect(await read()).toMatchObject({ ...fields, organizationId: teamId });
  }

  it.each(orders.map((order) => ({ order, named: order.join(", ") })))(
    `matches the provider after events in the order $named, each ${copies} times`,
    async ({ order }) => {
      const one = await subscriptionWithHistory();
      for (const index of order) {
        const event = one.events[index]!;
        expect(await scene.deliver(event)).toEqual({ outcome: "accepted" });
        const repeated = Array.from({ length: copies - 1 }, () => scene.deliver(scene.fake.resign(event)));
        expect(new Set((await Promise.all(repeated)).map(({ outcome }) => outcome))).toEqual(
          new Set(["duplicate"]),
        );
        if (index % 2 === 0) await scene.purser.drain();
      }
      await scene.purser.drain();
      // Without the first event, some providers do not say whose subscription it is.
      if (order.includes(0) || (await one.read()) !== null) await expectAgreement(one);
    },
  );

  it("matches the provider after a pause, in any order of its events", async () => {
    const { fake } = scene;
    const one = await subscriptionWithHistory();
    const events = (await fake.pause?.(one.subscriptionId)) ?? [];
    for (const event of [...one.events, ...events].toReversed()) await scene.deliver(event);
    await scene.purser.drain();
    await expectAgreement(one);
    if (fake.pause !== undefined) expect((await one.read())?.status).toBe("UNPAID");
  });

  it("matches the provider after events that are a week late, or repeated", async () => {
    const one = await subscriptionWithHistory();
    const [first, ...others] = one.events;
    await scene.deliver(first!);
    await scene.purser.drain();
    await scene.fake.end(one.subscriptionId);
    scene.purser.clock.advance(7 * day);
    for (const event of [first!, ...others]) await scene.deliver(scene.fake.resign(event));
    await scene.purser.drain();
    await expectAgreement(one);
    expect((await one.read())?.status).toBe("CANCELED");
  });

  it("matches the provider after two workers race, and the slower one fetched first", async () => {
    const one = await subscriptionWithHistory();
    await scene.deliver(one.events[0]!);
    await scene.purser.drain();
    const [fetched, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let isFirst = true;
    scene.intercept({
      async subscription(id) {
        const isHeld = isFirst;
        isFirst = false;
        const state = await scene.fake.provider.subscription(id);
        if (isHeld) {
          fetched.resolve();
          await released.promise;
        }
        return state;
      },
    });
    await scene.deliver(one.events[1]!);
    const slow = scene.purser.drain();
    await fetched.promise;
    await scene.fake.end(one.subscriptionId);
    await scene.deliver(one.events[2]!);

    // The second worker has the locks of another process, which asks the database until it gets one.
    const { platform } = scene.purser;
    const { locks } = platform;
    const lockDb = connect(platform.settings.databaseUrl!, { max: 1 });
    let asked = 0;
    lockDb.$client.options.debug = (_, text) => void (asked += text.includes("pg_try_advisory") ? 1 : 0);
    platform.locks = createProviderLocks(lockDb);
    let hasWritten = false;
    const fast = scene.purser.drain().finally(() => (hasWritten = true));
    await expect.poll(() => hasWritten || asked > 1).toBe(true);
    released.resolve();
    await Promise.all([slow, fast]);
    platform.locks = locks;
    scene.intercept(null);
    await lockDb.close();
    await expectAgreement(one);
  });

  it("matches the provider after a worker dies between fetch and write", async () => {
    const one = await subscriptionWithHistory();
    await scene.deliver(one.events[0]!);
    let died = false;
    scene.intercept({
      async subscription(id) {
        const state = await scene.fake.provider.subscription(id);
        if (died) return state;
        died = true;
        // To the database, a killed process is a closed connection.
        await scene.purser.db.execute(sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE application_name = 'purser locks' AND datname = current_database() AND state <> 'idle'`);
        return state;
      },
    });
    await scene.purser.drain();
    expect([died, await one.read()]).toEqual([true, null]);
    await scene.purser.drain({ ahead: true });
    scene.intercept(null);
    await expectAgreement(one);
  });

  it("is unchanged by events that are forged, altered, stale or from the future", async () => {
    const one = await subscriptionWithHistory();
    const [event] = one.events as [SignedEvent];
    const refused = { outcome: "refused" };
    const altered = Buffer.from(event.body.toString("utf8").replace(one.subscriptionId, "another"));
    expect(await scene.deliver({ ...event, body: altered })).toMatchObject(refused);
    expect(await scene.deliver({ ...event, headers: new Headers() })).toMatchObject(refused);
    const changed = new Headers(
      [...event.headers].map(([key, value]) => [key, value.replace(/[0-9a-f]$/, "z")]),
    );
    expect(await scene.deliver({ ...event, headers: changed })).toMatchObject(refused);
    for (const offset of name === "lemonsqueezy" ? [] : [6 * minute, -6 * minute]) {
      scene.purser.clock.advance(offset);
      expect(await scene.deliver(event)).toEqual({ outcome: "refused", reason: "time" });
      scene.purser.clock.advance(-offset);
    }
    await scene.purser.drain();
    expect(await one.read()).toBeNull();
  });
});

/** Every order of some of the items. */
function arrangements(items: number[]): number[][] {
  return items.flatMap((item) => {
    const others = arrangements(items.filter((other) => other !== item));
    return [[item], ...others.map((rest) => [item, ...rest])];
  });
}
