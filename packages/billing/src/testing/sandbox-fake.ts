import type { PaymentProvider } from "../ports.ts";
import { checkoutResult, payCheckout } from "../sandbox/checkouts.ts";
import { sandboxPayments, replaceCard } from "../sandbox/payments.ts";
import {
  type SandboxPaymentsDependencies,
  advanceSubscription,
  cancelSubscription,
  presentSubscription,
} from "../sandbox/subscriptions.ts";
import type { SandboxDelivery, SandboxEvent } from "@purser/platform/inbox";
import { readSandboxEvent, sandboxSecret, signSandboxEvent } from "@purser/platform/inbox";
import { platformJobs } from "@purser/platform/jobs";
import type { Outbox } from "@purser/platform/outbox";
import type { BillingFake, SignedEvent } from "./fake.ts";

/** What a test types in at a checkout to pay. */
export const goodCard = { number: "4242 4242 4242 4242", expiry: "12/40", cvc: "123", name: "Ada Lovelace" };

/**
 * The built-in provider as a test controls it. It is the real one over the real tables, but for its events: what
 * happens is handed to whoever lets it happen, instead of being delivered.
 */
export async function startLocalFake(platform: SandboxPaymentsDependencies): Promise<BillingFake> {
  const secret = sandboxSecret(platform.settings, "billing");
  const sign = (event: SandboxEvent): SignedEvent => {
    const body = Buffer.from(JSON.stringify(event));
    return { body, headers: signSandboxEvent(secret, body, platform.clock.now()) };
  };

  async function during(
    act: (parts: SandboxPaymentsDependencies) => Promise<unknown>,
  ): Promise<SignedEvent[]> {
    const { outbox, told } = listeningOutbox();
    await act({ ...platform, outbox });
    return told.map(sign);
  }

  async function goToPeriodEnd(parts: SandboxPaymentsDependencies, id: string): Promise<void> {
    const subscription = await presentSubscription(parts, id);
    await advanceSubscription(parts, id, subscription!.life.currentPeriodEnd);
  }

  const { provider, requests } = counted(sandboxPayments({ ...platform, outbox: listeningOutbox().outbox }));
  return {
    provider,
    get requests() {
      return requests();
    },
    async complete(reference) {
      const events = await during((parts) => payCheckout(parts, reference, goodCard));
      return { subscriptionId: (await checkoutResult(platform, reference))!, events };
    },
    renew: (id) =>
      during(async (parts) => {
        await replaceCard(parts, id, "succeeds");
        await goToPeriodEnd(parts, id);
      }),
    failPayment: (id) =>
      during(async (parts) => {
        await replaceCard(parts, id, "fails");
        await goToPeriodEnd(parts, id);
      }),
    cancelAtPeriodEnd: (id) => during((parts) => cancelSubscription(parts, id)),
    end: (id) =>
      during(async (parts) => {
        await cancelSubscription(parts, id);
        await goToPeriodEnd(parts, id);
      }),
    resign: ({ body }) => sign(readSandboxEvent(body.toString("utf8"))!),
    stop: async () => {},
  };
}

/** An outbox that keeps what there is to tell for itself. */
function listeningOutbox(): { outbox: Outbox; told: SandboxEvent[] } {
  const told: SandboxEvent[] = [];
  const enqueueAll: Outbox["enqueueAll"] = async (_transaction, job, payloads) => {
    if (job.name !== platformJobs.deliverSandboxEvent.name) return;
    for (const { event } of payloads as readonly SandboxDelivery[]) told.push(event);
  };
  const outbox: Outbox = {
    enqueueAll,
    enqueue: (transaction, job, payload) => enqueueAll(transaction, job, [payload]),
  };
  return { outbox, told };
}

/** The same provider, with a count of what it was asked. */
function counted(provider: PaymentProvider): { provider: PaymentProvider; requests(): number } {
  let requests = 0;
  const counting = Object.entries(provider).map(([name, own]) => {
    if (typeof own !== "function" || name === "recognizes") return [name, own];
    const ask = own as (...facts: unknown[]) => unknown;
    return [
      name,
      (...facts: unknown[]) => {
        requests += 1;
        return ask(...facts);
      },
    ];
  });
  return { provider: Object.fromEntries(counting) as PaymentProvider, requests: () => requests };
}
