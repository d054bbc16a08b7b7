import type { Platform } from "@purser/platform";
import { BillingError } from "../ports.ts";
import { type LocalSubscription, termsOf } from "./mapping.ts";
import { addDays } from "./rules/calendar.ts";
import type { Card } from "./rules/cards.ts";
import {
  type Transition,
  type SandboxState,
  type Step,
  advance,
  cancel,
  confirm,
  dueAt,
  followedBy,
  replaceCard,
  resume,
} from "./rules/lifecycle.ts";
import {
  findSubscription,
  listDue,
  lockSubscription,
  putInvoices,
  updateSubscription,
} from "./store/subscriptions.ts";
import { enqueueSandboxEvent } from "./webhooks.ts";

/** What the built-in payment provider stands on. */
export type SandboxPaymentsDependencies = Pick<Platform, "db" | "clock" | "settings" | "outbox">;

/** A subscription as it is at this moment, also where nobody has written down yet what time has brought. */
export async function presentSubscription(
  { db, clock }: SandboxPaymentsDependencies,
  id: string,
): Promise<(LocalSubscription & Pick<Transition, "invoices">) | null> {
  const stored = await findSubscription(db, id);
  if (stored === undefined) return null;
  const { life, invoices } = advance(stored.life, termsOf(stored), clock.now());
  return { ...stored, life, invoices };
}

/** Lets a subscription end with its period. Throws `not_found` and `ended`, as the others below. */
export async function cancelSubscription(parts: SandboxPaymentsDependencies, id: string): Promise<void> {
  await change(parts, id, ({ life }) => ({ step: cancel(life) }));
}

/** Takes that back. */
export async function resumeSubscription(parts: SandboxPaymentsDependencies, id: string): Promise<void> {
  await change(parts, id, ({ life }) => ({ step: resume(life) }));
}

/** The holder of the card confirms the first payment, so the card pays from now on. */
export async function confirmPayment(parts: SandboxPaymentsDependencies, id: string): Promise<void> {
  await change(parts, id, ({ life, card }) =>
    life.status === "incomplete"
      ? { step: confirm(life), card: { ...card, behavior: "succeeds" } }
      : { step: confirm(life) },
  );
}

/** Pays with another card from now on, also what is owed. Whoever puts it there is there to confirm it, too. */
export async function putCard(parts: SandboxPaymentsDependencies, id: string, given: Card): Promise<void> {
  const behavior = given.behavior === "authenticates" ? "succeeds" : given.behavior;
  const card: Card = { ...given, behavior };
  await change(parts, id, ({ life }) => ({ step: replaceCard(life, behavior), card }));
}

/** Five years from now: who moves a clock further has mistyped. */
const mostDaysAhead = 5 * 366;

/**
 * Moves a subscription's own clock, and lets happen what happens until then. Time does not go back, neither before now
 * nor before where it was moved to already. Gives null where there is no such subscription.
 */
export async function advanceSubscription(
  parts: SandboxPaymentsDependencies,
  id: string,
  to: Date,
): Promise<"advanced" | "too_early" | "too_late" | null> {
  const found = await findSubscription(parts.db, id);
  if (found === undefined) return null;
  const now = parts.clock.now();
  if (to < now || to < found.life.presentAt) return "too_early";
  if (to > addDays(now, mostDaysAhead)) return "too_late";
  await play(parts, id, (stored) => ({ course: advance(stored.life, termsOf(stored), to) }));
  return "advanced";
}

const batch = 1000;

/** Writes down and tells what time has brought to all subscriptions. One that fails does not keep the others from it. */
export async function tick(parts: SandboxPaymentsDependencies): Promise<void> {
  const now = parts.clock.now();
  const failures: unknown[] = [];
  for (const id of await listDue(parts.db, now, batch)) {
    const playing = play(parts, id, (stored) => ({ course: advance(stored.life, termsOf(stored), now) }));
    await playing.catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw new AggregateError(failures, String(failures[0]));
}

/** What is done to a subscription that has not ended, after what time has brought. */
async function change(
  parts: SandboxPaymentsDependencies,
  id: string,
  act: (present: LocalSubscription) => { step: Step; card?: Card },
): Promise<void> {
  const changed = await play(parts, id, (stored) => {
    const elapsed = advance(stored.life, termsOf(stored), parts.clock.now());
    requireAlive(elapsed.life);
    const { step, ...card } = act({ ...stored, life: elapsed.life });
    return { course: followedBy(elapsed, step), ...card };
  });
  if (!changed) throw new BillingError("not_found", "There is no such subscription");
}

function requireAlive({ status }: SandboxState): void {
  if (status === "canceled") throw new BillingError("ended", "The subscription has ended");
}

/** Stores a course of a subscription and tells of it, in one transaction. False where there is no such subscription. */
async function play(
  parts: SandboxPaymentsDependencies,
  id: string,
  act: (stored: LocalSubscription) => { course: Transition; card?: Card },
): Promise<boolean> {
  const found = await findSubscription(parts.db, id);
  if (found === undefined) return false;
  await parts.db.transaction(async (transaction) => {
    const stored = await lockSubscription(transaction, found);
    const { course, card = stored.card } = act(stored);
    const after = { ...stored, card, life: course.life };
    await updateSubscription(transaction, after, dueAt(course.life));
    await putInvoices(transaction, after, course.invoices);
    await enqueueSandboxEvent(parts, transaction, course.events, after);
  });
  return true;
}
