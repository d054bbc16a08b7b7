import { minute } from "@purser/core/testing";
import { refusalOf } from "@purser/testing";
import { billingScene, type BillingScene } from "@purser/testing/billing";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { BillingError } from "../ports.ts";
import { synchronizeSubscription } from "./synchronize.ts";

let scene: BillingScene;
beforeAll(async () => {
  scene = await billingScene("local");
});
afterAll(() => scene.close());
afterEach(() => scene.intercept(null));

type Team = Awaited<ReturnType<BillingScene["subscriber"]>>;

const change = ({ owner, subscriptionId: id }: Team, request: "cancel" | "resume") =>
  scene.purser.as(owner).billing[request]({ id });

/** What the webhook of a change does. */
const applyWebhook = ({ subscriptionId, teamId: organizationId }: Team) =>
  synchronizeSubscription(scene.purser.platform, "local", { subscriptionId, organizationId });

/** The subscription's events since it was created, oldest first, each with its actor. */
async function events({ owner, teamId, subscriptionId }: Team) {
  const all = await scene.purser.as(owner).events.list({ organizationId: teamId, subject: subscriptionId });
  const since = all.toReversed().slice(1);
  return since.map(({ type, actor }) => [type, actor === null ? null : actor.id === owner.userId]);
}

/** The changes in the audit trail since the subscription started, oldest first, each with its actor. */
async function changes({ owner, teamId, subscriptionId }: Team) {
  const entries = await scene.purser.as(owner).organizations.audit.list({ id: teamId });
  const reported = entries.filter(({ subject, details }) => subject === subscriptionId && details["change"]);
  const since = reported.toReversed().slice(1);
  return since.map(({ details, actor }) => [
    details["change"],
    actor === null ? null : actor.id === owner.userId,
  ]);
}

const byOwner = { cancel: ["ending", true], resume: ["resumed", true] } as const;

describe.each(["cancel", "resume"] as const)("billing.%s", (request) => {
  /** A team whose subscription the request changes, and the records that it has before. */
  async function changeable() {
    const team = await scene.subscriber();
    if (request === "resume") await change(team, "cancel");
    return { team, before: [await events(team), await changes(team)] as const };
  }
  async function expectOneByOwner({ team, before }: Awaited<ReturnType<typeof changeable>>) {
    expect(await events(team)).toEqual([...before[0], ["subscription.updated", true]]);
    expect(await changes(team)).toEqual([...before[1], byOwner[request]]);
  }

  it("is one event by the person when its webhook comes after it", async () => {
    const one = await changeable();
    await change(one.team, request);
    await applyWebhook(one.team);
    await expectOneByOwner(one);
  });

  it("is one event by the person when its webhook comes before the answer", async () => {
    const one = await changeable();
    const { provider } = scene.fake;
    let webhook: Promise<unknown> | undefined;
    scene.intercept({
      async [request](id: string) {
        await provider[request](id);
        webhook = applyWebhook(one.team);
      },
    });
    await change(one.team, request);
    await webhook;
    await expectOneByOwner(one);
  });

  it("is one event by the person when only its webhook reads the result", async () => {
    const one = await changeable();
    const { provider } = scene.fake;
    let isChanged = false;
    scene.intercept({
      [request]: async (id: string) => provider[request](id).then(() => void (isChanged = true)),
      subscription: (id) =>
        isChanged ? Promise.reject(new BillingError("outage", "No answer")) : provider.subscription(id),
    });
    expect(await refusalOf(change(one.team, request))).toBe("PROVIDER_ERROR");
    scene.intercept(null);
    await applyWebhook(one.team);
    await change(one.team, request);
    await expectOneByOwner(one);
  });
});

it("limits how often a user cancels and resumes, for the sake of all teams", async () => {
  const team = await scene.subscriber();
  for (let count = 0; count < 10; count += 1) {
    await change(team, "cancel");
    await change(team, "resume");
  }
  const { requests } = scene.fake;
  expect(await refusalOf(change(team, "cancel"))).toBe("RATE_LIMITED");
  expect(scene.fake.requests).toBe(requests);
  scene.purser.clock.advance(minute);
  await change(team, "cancel");
});

describe("billing.cancel after a change that no webhook has announced yet", () => {
  it("makes the person the actor of the cancellation alone", async () => {
    const team = await scene.subscriber();
    await scene.fake.failPayment(team.subscriptionId);
    await change(team, "cancel");
    expect(await events(team)).toEqual([
      ["subscription.past_due", null],
      ["subscription.updated", true],
    ]);
    expect(await changes(team)).toEqual([["payment_failed", null], byOwner.cancel]);
  });

  it("makes nobody its actor when the cancellation is repeated", async () => {
    const team = await scene.subscriber();
    await change(team, "cancel");
    const { provider } = scene.fake;
    scene.intercept({
      async subscription(id) {
        const state = await provider.subscription(id);
        return state && { ...state, status: "PAST_DUE", rawStatus: "past_due" };
      },
    });
    await change(team, "cancel");
    expect(await changes(team)).toEqual([byOwner.cancel, ["payment_failed", null]]);
  });
});

describe("billing.sync after a member's cancellation", () => {
  it("makes nobody the actor of a later cancellation at the provider", async () => {
    const team = await scene.subscriber();
    const { subscriptionId: id, teamId } = team;
    await change(team, "cancel");
    await scene.fake.provider.resume(id);
    await applyWebhook(team);
    const { organizations } = scene.purser.as(team.owner);
    const present = (await organizations.subscription.get({ organizationId: teamId }))!;
    const { customerId, planId, variantId, currentPeriodStart, currentPeriodEnd } = present;
    const administrator = await scene.purser.person({ isAdministrator: true });
    await scene.purser.as(administrator).billing.sync({
      id,
      teamId,
      status: "ACTIVE",
      customerId,
      planId,
      variantId,
      currentPeriodStart,
      currentPeriodEnd,
      canceledAt: null,
      cancelAtPeriodEnd: false,
    });
    await scene.fake.cancelAtPeriodEnd(id);
    await applyWebhook(team);
    expect((await changes(team)).at(-1)).toEqual(["ending", null]);
  });
});
