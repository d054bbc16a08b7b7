import { day } from "@purser/core/testing";
import { handlerOf } from "@purser/testing";
import { billingScene } from "@purser/testing/billing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { billingJobs } from "../job-definitions.ts";
import { unattributedIds } from "../testing/unattributed.ts";

const start = () => billingScene("lemonsqueezy");
let scene: Awaited<ReturnType<typeof start>>;
beforeAll(async () => {
  scene = await start();
});
afterAll(() => scene.close());

async function reconcile() {
  const { handlers, drain } = scene.purser;
  await handlerOf(handlers, billingJobs.reconcile)(null, { id: "job", attempt: 1, last: true });
  await drain();
}

/** Someone pays, and no webhook tells. Then time passes without a run. Returns whether the next run finds the purchase. */
async function payBeforeOutage(days: number): Promise<boolean> {
  const { subscriptionId } = scene.fake.complete((await scene.buyer()).reference);
  scene.purser.clock.advance(days * day);
  await reconcile();
  // Lemon Squeezy names no organization outside its webhooks, so an operator assigns it.
  return (await unattributedIds(scene.purser.db)).includes(subscriptionId);
}

it("reconciliation finds what was paid since the last listing, also if that was by another process", async () => {
  expect(await payBeforeOutage(4)).toBe(true);
  expect(await payBeforeOutage(29)).toBe(true);
});

it("reconciliation looks back three days after a listing, and to the last one if listing fails", async () => {
  await reconcile();
  const listed: number[] = [];
  const at = () => scene.purser.clock.now().getTime();
  const list = (answer: () => Promise<never[]>) =>
    scene.intercept({
      subscriptionsSince: (since) => {
        listed.push((at() - since.getTime()) / day);
        return answer();
      },
    });
  list(async () => []);
  await reconcile();
  expect(listed.splice(0)).toEqual([3]);

  scene.purser.clock.advance(5 * day);
  list(() => Promise.reject(new Error("No answer")));
  await reconcile();
  expect(listed.splice(0)).toEqual([3]);
  // The recent ones are listed first, and never lost to a listing that is too long for the provider.
  list(async () => []);
  await reconcile();
  expect(listed.splice(0)).toEqual([3, 5 + 1 / 24]);

  scene.purser.clock.advance(90 * day);
  await reconcile();
  expect(listed.splice(0)).toEqual([3, 30]);
  scene.intercept(null);
});
