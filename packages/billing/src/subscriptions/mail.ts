import type { Change } from "./rules.ts";

interface Facts {
  organizationName: string;
  planName: string;
  currentPeriodEnd: Date;
  appUrl: string;
}

/** The changes that owners are told of. */
export type NotifiedChange = Exclude<Change, "started" | "recovered" | "resumed">;

export const isTold = (change: Change): change is NotifiedChange => change in mails;

/** What owners are told of a change. */
export function mailOf(change: NotifiedChange, facts: Facts): { subject: string; text: string } {
  const end = facts.currentPeriodEnd.toISOString().slice(0, 10);
  const { subject, paragraphs } = mails[change]({ ...facts, end });
  return { subject, text: [...paragraphs, facts.appUrl].join("\n\n") };
}

const mails: Record<
  NotifiedChange,
  (facts: Facts & { end: string }) => { subject: string; paragraphs: string[] }
> = {
  payment_failed: ({ organizationName, planName }) => ({
    subject: `A payment for ${planName} has failed`,
    paragraphs: [
      `The payment of ${organizationName} for ${planName} did not go through. It will be tried again in the next days.`,
      "To be safe, see to the payment method in the customer portal:",
    ],
  }),
  unpaid: ({ organizationName, planName }) => ({
    subject: `${planName} is not paid for`,
    paragraphs: [
      `The payment of ${organizationName} for ${planName} has failed several times, and is not tried any more.`,
      "The subscription goes on once somebody pays in the customer portal:",
    ],
  }),
  ending: ({ organizationName, planName, end }) => ({
    subject: `${planName} ends on ${end}`,
    paragraphs: [
      `The subscription of ${organizationName} to ${planName} was cancelled. It stays in force until ${end} (UTC), and then ends.`,
      "Until then it can be resumed:",
    ],
  }),
  ended: ({ organizationName, planName }) => ({
    subject: `${planName} has ended`,
    paragraphs: [
      `The subscription of ${organizationName} to ${planName} has ended.`,
      "A new one can be bought at any time:",
    ],
  }),
};
