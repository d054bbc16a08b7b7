import {
  type SandboxWebhook,
  type SandboxEvent,
  readSandboxEvent,
  sandboxSecret,
  signSandboxEvent,
} from "@purser/platform/inbox";
import { platformJobs } from "@purser/platform/jobs";
import type { Outbox } from "@purser/platform/outbox";
import type { PaymentProvider } from "../ports.ts";
import { payCheckout, sandboxCheckoutResult } from "../sandbox/checkouts.ts";
import { replaceSandboxCard, sandboxPayments } from "../sandbox/payments.ts";
import {
  type SandboxPaymentsDependencies,
  advanceSandboxSubscription,
  cancelSandboxSubscription,
  readSandboxSubscription,
} from "../sandbox/subscriptions.ts";
import { type BillingFake, type SignedEvent, boughtSubscription } from "./fake.ts";

/** A card form that pays. */
export const goodCard = { number: "4242 4242 4242 4242", expiry: "12/40", cvc: "123", name: "Ada Lovelace" };

/**
 * The built-in provider under a test's control: the real provider on real tables. Its events are returned to the test
 * instead of being delivered.
 */
export async function startSandboxFake(platform: SandboxPaymentsDependencies): Promise<BillingFake> {
  const secret = sandboxSecret(platform.settings, "billing");
  const sign = (event: SandboxEvent): SignedEvent => {
    const body = Buffer.from(JSON.stringify(event));
    return { body, headers: signSandboxEvent(secret, body, platform.clock.now()) };
  };

  async function during(
    act: (dependencies: SandboxPaymentsDependencies) => Promise<unknown>,
  ): Promise<SignedEvent[]> {
    const { outbox, events } = collectingOutbox();
    await act({ ...platform, outbox });
    return events.map(sign);
  }

  async function goToPeriodEnd(dependencies: SandboxPaymentsDependencies, id: string): Promise<void> {
    const subscription = await readSandboxSubscription(dependencies, id);
    await advanceSandboxSubscription(dependencies, id, subscription!.state.currentPeriodEnd);
  }

  const { provider, requests } = counted(sandboxPayments({ ...platform, outbox: collectingOutbox().outbox }));
  return {
    provider,
    get requests() {
      return requests();
    },
    async complete(reference) {
      const events = await during((dependencies) => payCheckout(dependencies, reference, goodCard));
      // Not the counted provider's: a test counts its own requests.
      const checkoutResult = (paid: string) => sandboxCheckoutResult(platform, paid);
      return { subscriptionId: await boughtSubscription({ checkoutResult }, reference), events };
    },
    renew: (id) =>
      during(async (dependencies) => {
        await replaceSandboxCard(dependencies, id, "succeeds");
        await goToPeriodEnd(dependencies, id);
      }),
    failPayment: (id) =>
      during(async (dependencies) => {
        await replaceSandboxCard(dependencies, id, "fails");
        await goToPeriodEnd(dependencies, id);
      }),
    cancelAtPeriodEnd: (id) => during((dependencies) => cancelSandboxSubscription(dependencies, id)),
    end: (id) =>
      during(async (dependencies) => {
        await cancelSandboxSubscription(dependencies, id);
        await goToPeriodEnd(dependencies, id);
      }),
    resign: ({ body }) => sign(readSandboxEvent(body.toString("utf8"))!),
    stop: async () => {},
  };
}

/** An outbox that collects sandbox events instead of enqueueing them. */
function collectingOutbox(): { outbox: Outbox; events: SandboxEvent[] } {
  const events: SandboxEvent[] = [];
  const enqueueAll: Outbox["enqueueAll"] = async (_transaction, job, payloads) => {
    if (job.name !== platformJobs.deliverSandboxEvent.name) return;
    for (const { event } of payloads as readonly SandboxWebhook[]) events.push(event);
  };
  const outbox: Outbox = {
    enqueueAll,
    enqueue: (transaction, job, payload) => enqueueAll(transaction, job, [payload]),
    relay: () => Promise.resolve(),
  };
  return { outbox, events };
}

/** Wraps a provider and counts its calls. */
function counted(provider: PaymentProvider): { provider: PaymentProvider; requests(): number } {
  let requests = 0;
  const counting = Object.entries(provider).map(([name, own]) => {
    if (typeof own !== "function" || name === "recognizes") return [name, own];
    const call = own as (...parameters: unknown[]) => unknown;
    return [
      name,
      (...parameters: unknown[]) => {
        requests += 1;
        return call(...parameters);
      },
    ];
  });
  return { provider: Object.fromEntries(counting) as PaymentProvider, requests: () => requests };
}
