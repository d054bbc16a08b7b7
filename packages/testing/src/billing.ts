import { synchronizeSubscription } from "@purser/billing";
import type { PaymentProvider, PaymentProviderName } from "@purser/billing/ports";
import { type BillingFake, type SignedEvent, startSandboxFake } from "@purser/billing/testing";
import { billingCheckouts } from "@purser/db";
import { startLemonSqueezyFake } from "@purser/lemonsqueezy/fake";
import { startPaddleFake } from "@purser/paddle/fake";
import { receiveWebhook } from "@purser/platform/inbox";
import { startPolarFake } from "@purser/polar/fake";
import { startStripeBillingFake } from "@purser/stripe/fake";
import { and, eq } from "drizzle-orm";
import { type Person, type TestPurser, createTestPurser } from "./purser.ts";

/** A service that sells through one payment provider, whose fake the test controls. */
export interface BillingScene<Fake extends BillingFake = BillingFake> {
  purser: TestPurser;
  fake: Fake;
  /** Replaces methods of the provider; null restores them. */
  intercept: (replacement: Partial<PaymentProvider> | null) => void;
  /** Creates a team with its owner. */
  team(): Promise<{ owner: Person; teamId: string }>;
  /** Creates a team with an open checkout, and returns the provider's id of it. */
  buyer(): Promise<{ owner: Person; teamId: string; reference: string }>;
  /** Creates a team that has paid. Its subscription is stored, although no webhook was delivered. */
  subscriber(): Promise<{ owner: Person; teamId: string; subscriptionId: string }>;
  /** Delivers a webhook as the HTTP endpoint does, and returns the outcome. */
  deliver(event: SignedEvent): ReturnType<typeof receiveWebhook>;
  close(): Promise<void>;
}

const starts = {
  stripe: startStripeBillingFake,
  paddle: startPaddleFake,
  polar: startPolarFake,
  lemonsqueezy: startLemonSqueezyFake,
};

type FakeOf<Name extends PaymentProviderName> = Name extends keyof typeof starts
  ? Awaited<ReturnType<(typeof starts)[Name]>>
  : BillingFake;

/** Starts a service that sells through this provider only. */
export async function billingScene<Name extends PaymentProviderName>(
  name: Name,
): Promise<BillingScene<FakeOf<Name>>> {
  let replacement: Partial<PaymentProvider> | null = null;
  const at = async () => ({ ...fake.provider, ...replacement });
  const purser: TestPurser = await createTestPurser({ payments: { configured: [name], at } });
  const { platform } = purser;
  const fake = (await startFake(name, platform)) as FakeOf<Name>;
  const receiver = purser.receivers.find(({ area, provider }) => area === "billing" && provider === name)!;

  const team = async () => {
    const owner = await purser.person();
    return { owner, teamId: await purser.organization(owner) };
  };
  const buyer = async () => {
    const { owner, teamId } = await team();
    const [plan] = await purser.as(null).billing.plans.list();
    const input = { planId: plan!.id, variantId: plan!.variants[0]!.id, teamId };
    await purser.as(owner).billing.checkout(input);
    const [row] = await purser.db
      .select({ reference: billingCheckouts.reference })
      .from(billingCheckouts)
      .where(and(eq(billingCheckouts.organizationId, teamId), eq(billingCheckouts.status, "OPEN")));
    return { owner, teamId, reference: row!.reference! };
  };
  return {
    purser,
    fake,
    intercept: (methods) => void (replacement = methods),
    team,
    buyer,
    async subscriber() {
      const { owner, teamId, reference } = await buyer();
      const { subscriptionId } = await fake.complete(reference);
      await synchronizeSubscription(platform, name, { subscriptionId, organizationId: teamId });
      return { owner, teamId, subscriptionId };
    },
    deliver: ({ body, headers }) => receiveWebhook(purser.platform, receiver, body, headers),
    async close() {
      await purser.close();
      await fake.stop();
    },
  };
}

function startFake(name: PaymentProviderName, platform: TestPurser["platform"]): Promise<BillingFake> {
  return name === "local" ? startSandboxFake(platform) : starts[name](platform);
}
