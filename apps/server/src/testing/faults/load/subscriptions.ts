import { type RandomSource, type subscriptionStatuses, dayMs } from "@purser/core";
import type { Team, Tenant } from "../acknowledged-state.ts";
import type { LoadContext, Workload } from "../load-context.ts";
import { mutate, mutateFor } from "./mutate.ts";

/** How far ahead a subscription's clock is moved at most. The sandbox refuses more than five years from now. */
const furthestMs = 4 * 366 * dayMs;

/** The service lets a person begin ten checkouts a minute. Retries during a fault count too. */
const checkoutPauseMs = 10_000;
/** It lets a person cancel and resume twenty times a minute. */
const changePauseMs = 5000;

interface Subscription {
  id: string;
  status: (typeof subscriptionStatuses)[number];
  currentPeriodEnd: string;
  cancelAtPeriodEnd: boolean;
}

/** Buys subscriptions for new organizations, then cancels, resumes, renews and ends them. */
export const subscriptionWorkload: Workload = (context, tenant, random) => {
  const mayCheckout = atMostEvery(checkoutPauseMs);
  const mayChange = atMostEvery(changePauseMs);
  return async () => {
    const { teams } = tenant;
    if ((teams.length === 0 || random.happens(0.25)) && mayCheckout())
      return startCheckout(context, tenant, random);
    const team = random.pick(teams);
    if (!team.isPaid) return pay(context, tenant, team, random);
    const subscription = await readSubscription(context, tenant, team);
    // The provider's webhook has not been delivered yet.
    if (subscription === null) return;
    await changeSubscription(context, { tenant, team, subscription, random, mayChange });
  };
};

/** Returns a function that is true at most once in this time. */
function atMostEvery(pauseMs: number): () => boolean {
  let next = -Infinity;
  return () => {
    if (performance.now() < next) return false;
    next = performance.now() + pauseMs;
    return true;
  };
}

async function startCheckout(context: LoadContext, tenant: Tenant, random: RandomSource): Promise<void> {
  const { state, client } = context;
  const { token } = tenant.owner;
  const name = state.uniqueName(tenant, "team");
  const { id: teamId } = await mutate<{ id: string }>(context, {
    method: "POST",
    path: "/api/organizations",
    token,
    body: { name },
  });
  tenant.organizations.set(name, "created");
  state.recordAction(teamId, "organizations.create");
  const planId = random.pick(["local_starter", "local_team", "local_business"]);
  const body = { teamId, planId, variantId: `${planId}_${random.pick(["monthly", "yearly"])}` };
  const request = { method: "POST", path: "/api/billing/checkout", token, body } as const;
  const url = await mutate<string>(context, request);
  state.recordAction(teamId, "billing.checkout");
  if (random.happens(0.3)) {
    const again = await client.call<string>(request);
    if (again !== url) context.reportViolation(`One checkout has two URLs: ${url} and ${again}`);
  }
  const team = { organizationId: teamId, checkoutPath: new URL(url).pathname, isPaid: false };
  tenant.teams.push(team);
}

/** A customer pays on the provider's page, with several clicks, and usually returns to our page. */
async function pay({ client }: LoadContext, tenant: Tenant, team: Team, random: RandomSource): Promise<void> {
  const { checkoutPath: path } = team;
  const form = { number: "4242 4242 4242 4242", expiry: "12/40", cvc: "123", name: tenant.name };
  const clicks = Array.from({ length: random.whole(1, 2) }, () =>
    client.send({ method: "POST", path, form }),
  );
  for (const { status, headers } of await Promise.all(clicks)) {
    if (status !== 303) throw new Error(`The payment returned ${status}`);
    if (random.happens(0.5)) await client.call({ method: "GET", path: new URL(headers.location!).pathname });
  }
  team.isPaid = true;
}

async function readSubscription({ client }: LoadContext, { owner }: Tenant, { organizationId }: Team) {
  const path = `/api/organizations/${organizationId}/subscription`;
  return client.call<Subscription | null>({ method: "GET", path, token: owner.token });
}

interface SubscriptionChange {
  tenant: Tenant;
  team: Team;
  subscription: Subscription;
  random: RandomSource;
  /** Whether the service lets the person cancel or resume now. */
  mayChange: () => boolean;
}

async function changeSubscription(
  context: LoadContext,
  { tenant, team, subscription, random, mayChange }: SubscriptionChange,
): Promise<void> {
  const { organizationId } = team;
  const { id, status, cancelAtPeriodEnd, currentPeriodEnd } = subscription;
  const send = async (path: string, action: string, body: object) => {
    const request = { method: "POST", path: `/api/${path}`, token: tenant.owner.token, body } as const;
    const { isFirstAttempt = true } = await mutateFor(context, request);
    // If an attempt failed after the provider's change, the next one finds the change made and writes no audit entry.
    const isCertain = isFirstAttempt || !action.startsWith("billing.");
    context.state.recordAction(organizationId, action, { isCertain });
  };
  if (random.happens(0.3)) return notify(context, tenant, { id, organizationId }, random.whole(1, 3));
  if (status === "CANCELED") return;
  const choice = random.fraction();
  if (choice < 0.5) {
    if (!mayChange()) return;
    const verb = cancelAtPeriodEnd ? "resume" : "cancel";
    await send(`billing/${verb}`, `billing.${verb}`, { id });
    const after = await readSubscription(context, tenant, team);
    if (after?.cancelAtPeriodEnd === cancelAtPeriodEnd)
      context.reportViolation(
        `${verb} of ${id} was acknowledged but had no effect: ${JSON.stringify(after)}`,
      );
  } else if (choice < 0.7) {
    const card = random.pick(["succeeds", "fails"]);
    const body = { subscriptionId: id, card };
    await send("sandbox/billing/replace-card", "sandbox.billing.replaceCard", body);
  } else if (Date.parse(currentPeriodEnd) - Date.now() < furthestMs) {
    const body = { subscriptionId: id, to: currentPeriodEnd };
    await send("sandbox/billing/advance", "sandbox.billing.advance", body);
  }
}

/** Sends one of the provider's webhooks several times. */
async function notify(
  { client, state }: LoadContext,
  tenant: Tenant,
  { id: subscriptionId, organizationId }: { id: string; organizationId: string },
  times: number,
): Promise<void> {
  const id = state.uniqueName(tenant, "event");
  const body = { id, type: "subscription.updated", data: { organizationId, subscriptionId } };
  const request = {
    method: "POST",
    path: "/api/webhooks/billing/local",
    signedFor: "billing",
    body,
  } as const;
  await Promise.all(Array.from({ length: times }, () => client.call(request)));
  state.events.push(["billing", "local", id]);
}
