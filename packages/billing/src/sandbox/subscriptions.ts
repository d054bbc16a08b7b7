import type { Platform } from "@purser/platform";
import { BillingError } from "../ports.ts";
import { type SandboxSubscription, sandboxTerms } from "./mapping.ts";
import { addDays } from "./rules/calendar.ts";
import type { SandboxCard } from "./rules/cards.ts";
import {
  type Transition,
  type SandboxState,
  type SandboxStep,
  advanceTo,
  scheduleCancellation,
  confirmFirstPayment,
  dueAt,
  appendStep,
  changeCard,
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

/** What the built-in payment provider stands on. */
export type SandboxPaymentsDependencies = Pick<Platform, "db" | "clock" | "settings" | "outbox">;

/** A subscription as it is at this moment, also where nobody has written down yet what time has brought. */
export async function readSandboxSubscription(
  { db, clock }: SandboxPaymentsDependencies,
  id: string,
): Promise<(SandboxSubscription & Pick<Transition, "invoices">) | null> {
  const stored = await findSandboxSubscription(db, id);
  if (stored === undefined) return null;
  const { state, invoices } = advanceTo(stored.state, sandboxTerms(stored), clock.now());
  return { ...stored, state, invoices };
}

/** Lets a subscription end with its period. Throws `not_found` and `ended`, as the others below. */
export async function cancelSandboxSubscription(
  dependencies: SandboxPaymentsDependencies,
  id: string,
): Promise<void> {
  await change(dependencies, id, ({ state }) => ({ step: scheduleCancellation(state) }));
}

/** Takes that back. */
export async function resumeSandboxSubscription(
  dependencies: SandboxPaymentsDependencies,
  id: string,
): Promise<void> {
  await change(dependencies, id, ({ state }) => ({ step: withdrawCancellation(state) }));
}

/** The holder of the card confirms the first payment, so the card pays from now on. */
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

/** Pays with another card from now on, also what is owed. Whoever puts it there is there to confirm it, too. */
export async function putSandboxCard(
  dependencies: SandboxPaymentsDependencies,
  id: string,
  given: SandboxCard,
): Promise<void> {
  const behavior = given.behavior === "authenticates" ? "succeeds" : given.behavior;
  const card: SandboxCard = { ...given, behavior };
  await change(dependencies, id, ({ state }) => ({ step: changeCard(state, behavior), card }));
}

/** Five years from now: who moves a clock further has mistyped. */
const mostDaysAhead = 5 * 366;

/**
 * Moves a subscription's own clock, and lets happen what happens until then. Time does not go back, neither before now
 * nor before where it was moved to already. Gives null where there is no such subscription.
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
  if (to > addDays(now, mostDaysAhead)) return "too_late";
  await applyTransition(dependencies, id, (stored) => ({
    transition: advanceTo(stored.state, sandboxTerms(stored), to),
  }));
  return "advanced";
}

const batch = 1000;

/** Writes down and tells what time has brought to all subscriptions. One that fails does not keep the others from it. */
export async function tickSandboxSubscriptions(dependencies: SandboxPaymentsDependencies): Promise<void> {
  const now = dependencies.clock.now();
  const failures: unknown[] = [];
  for (const id of await listDueSandboxSubscriptions(dependencies.db, now, batch)) {
    const playing = applyTransition(dependencies, id, (stored) => ({
      transition: advanceTo(stored.state, sandboxTerms(stored), now),
    }));
    await playing.catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw new AggregateError(failures, String(failures[0]));
}

/** What is done to a subscription that has not ended, after what time has brought. */
async function change(
  dependencies: SandboxPaymentsDependencies,
  id: string,
  act: (present: SandboxSubscription) => { step: SandboxStep; card?: SandboxCard },
): Promise<void> {
  const changed = await applyTransition(dependencies, id, (stored) => {
    const elapsed = advanceTo(stored.state, sandboxTerms(stored), dependencies.clock.now());
    requireAlive(elapsed.state);
    const { step, ...card } = act({ ...stored, state: elapsed.state });
    return { transition: appendStep(elapsed, step), ...card };
  });
  if (!changed) throw new BillingError("not_found", "There is no such subscription");
}

function requireAlive({ status }: SandboxState): void {
  if (status === "canceled") throw new BillingError("ended", "The subscription has ended");
}

/** Stores a course of a subscription and tells of it, in one transaction. False where there is no such subscription. */
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
