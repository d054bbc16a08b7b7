import { type Platform, throwAll } from "@purser/platform";
import { BillingError } from "../ports.ts";
import { type SandboxSubscription, sandboxTerms } from "./mapping.ts";
import { addDaysToInstant } from "./rules/calendar.ts";
import type { SandboxCard } from "./rules/cards.ts";
import {
  type SandboxState,
  type SandboxStep,
  type Transition,
  advanceTo,
  appendStep,
  changeCard,
  confirmFirstPayment,
  dueAt,
  scheduleCancellation,
  withdrawCancellation,
} from "./rules/lifecycle.ts";
import {
  findSandboxSubscription,
  listDueSandboxSubscriptions,
  lockSandboxSubscription,
  putSandboxInvoices,
  updateSandboxSubscription,
} from "./store/subscriptions.ts";
import { enqueueSandboxBillingEvents } from "./webhooks.ts";

/** The parts of the platform that the built-in payment provider needs. */
export type SandboxPaymentsDependencies = Pick<Platform, "db" | "clock" | "settings" | "outbox">;

/** Returns a subscription at the present time. Due events that are not stored yet are applied in memory. */
export async function readSandboxSubscription(
  { db, clock }: SandboxPaymentsDependencies,
  id: string,
): Promise<(SandboxSubscription & Pick<Transition, "invoices">) | null> {
  const stored = await findSandboxSubscription(db, id);
  if (stored === undefined) return null;
  const { state, invoices } = advanceTo(stored.state, sandboxTerms(stored), clock.now());
  return { ...stored, state, invoices };
}

/** Cancels, as `scheduleCancellation` does. Throws `not_found` and `ended`, like every change below. */
export async function cancelSandboxSubscription(
  dependencies: SandboxPaymentsDependencies,
  id: string,
): Promise<void> {
  await change(dependencies, id, ({ state }) => ({ step: scheduleCancellation(state) }));
}

/** Withdraws the cancellation. */
export async function resumeSandboxSubscription(
  dependencies: SandboxPaymentsDependencies,
  id: string,
): Promise<void> {
  await change(dependencies, id, ({ state }) => ({ step: withdrawCancellation(state) }));
}

/** Confirms the first payment. Later payments with the card succeed. */
export async function confirmSandboxPayment(
  dependencies: SandboxPaymentsDependencies,
  id: string,
): Promise<void> {
  await change(dependencies, id, ({ state, card }) =>
    state.status === "incomplete"
      ? { step: confirmFirstPayment(state), card: { ...card, behavior: "succeeds" } }
      : { step: confirmFirstPayment(state) },
  );
}

/** Replaces the card, and pays the open invoice with it. A card that needs confirmation counts as confirmed. */
export async function putSandboxCard(
  dependencies: SandboxPaymentsDependencies,
  id: string,
  newCard: SandboxCard,
): Promise<void> {
  const behavior = newCard.behavior === "authenticates" ? "succeeds" : newCard.behavior;
  const card: SandboxCard = { ...newCard, behavior };
  await change(dependencies, id, ({ state }) => ({ step: changeCard(state, behavior), card }));
}

/** Five years. A later time is most likely a typing error. */
const maxDaysAhead = 5 * 366;

/**
 * Moves a subscription's own clock and applies every event due until then. The clock never goes back, neither behind the
 * service's clock nor behind its own. Returns null when there is no such subscription.
 */
export async function advanceSandboxSubscription(
  dependencies: SandboxPaymentsDependencies,
  id: string,
  to: Date,
): Promise<"advanced" | "too_early" | "too_late" | null> {
  const found = await findSandboxSubscription(dependencies.db, id);
  if (found === undefined) return null;
  const now = dependencies.clock.now();
  if (to < now || to < found.state.presentAt) return "too_early";
  if (to > addDaysToInstant(now, maxDaysAhead)) return "too_late";
  await applyTransition(dependencies, id, (stored) => ({
    transition: advanceTo(stored.state, sandboxTerms(stored), to),
  }));
  return "advanced";
}

const batchSize = 1000;

/** Applies the due events of all subscriptions. A failure of one does not block the others. */
export async function tickSandboxSubscriptions(dependencies: SandboxPaymentsDependencies): Promise<void> {
  const now = dependencies.clock.now();
  const failures: unknown[] = [];
  for (const id of await listDueSandboxSubscriptions(dependencies.db, now, batchSize)) {
    const applied = applyTransition(dependencies, id, (stored) => ({
      transition: advanceTo(stored.state, sandboxTerms(stored), now),
    }));
    await applied.catch((error: unknown) => failures.push(error));
  }
  throwAll(failures);
}

/** Applies due events, and then a change, to a subscription that has not ended. */
async function change(
  dependencies: SandboxPaymentsDependencies,
  id: string,
  act: (present: SandboxSubscription) => { step: SandboxStep; card?: SandboxCard },
): Promise<void> {
  const changed = await applyTransition(dependencies, id, (stored) => {
    const elapsed = advanceTo(stored.state, sandboxTerms(stored), dependencies.clock.now());
    requireNotEnded(elapsed.state);
    const { step, ...card } = act({ ...stored, state: elapsed.state });
    return { transition: appendStep(elapsed, step), ...card };
  });
  if (!changed) throw new BillingError("not_found", "There is no such subscription");
}

function requireNotEnded({ status }: SandboxState): void {
  if (status === "canceled") throw new BillingError("ended", "The subscription has ended");
}

/** Stores a transition and enqueues its events in one transaction. Returns false when there is no such subscription. */
async function applyTransition(
  dependencies: SandboxPaymentsDependencies,
  id: string,
  act: (stored: SandboxSubscription) => { transition: Transition; card?: SandboxCard },
): Promise<boolean> {
  const found = await findSandboxSubscription(dependencies.db, id);
  if (found === undefined) return false;
  await dependencies.db.transaction(async (transaction) => {
    const stored = await lockSandboxSubscription(transaction, found);
    const { transition, card = stored.card } = act(stored);
    const after = { ...stored, card, state: transition.state };
    await updateSandboxSubscription(transaction, after, dueAt(transition.state));
    await putSandboxInvoices(transaction, after, transition.invoices);
    await enqueueSandboxBillingEvents(dependencies, transaction, transition.events, after);
  });
  return true;
}
