import { utcDay } from "@purser/core";
import type { SubscriptionChange } from "./rules.ts";

interface MailData {
  organizationName: string;
  planName: string;
  /** The plans of the organization's other live subscriptions. */
  otherPlanNames: readonly string[];
  /** When the subscription ends. Used if an end is scheduled. */
  endsAt: Date;
  appUrl: string;
}

/** The changes that owners receive a mail about. */
export type NotifiedChange = Exclude<
  SubscriptionChange,
  "started" | "recovered" | "unpaused" | "resumed" | "expired"
>;

export const isNotified = (change: SubscriptionChange): change is NotifiedChange => change in mails;

/** Returns the mail to an owner about a change. */
export function mailOf(change: NotifiedChange, data: MailData): { subject: string; text: string } {
  const end = utcDay(data.endsAt);
  const { subject, paragraphs } = mails[change]({ ...data, end });
  return { subject, text: [...paragraphs, data.appUrl].join("\n\n") };
}

const mails: Record<
  NotifiedChange,
  (data: MailData & { end: string }) => { subject: string; paragraphs: string[] }
> = {
  payment_failed: ({ organizationName, planName }) => ({
    subject: `A payment for ${planName} has failed`,
    paragraphs: [
      `The payment of ${organizationName} for ${planName} failed. It will be retried over the next days.`,
      "Please check the payment method in the customer portal:",
    ],
  }),
  unpaid: ({ organizationName, planName }) => ({
    subject: `Payment for ${planName} is overdue`,
    paragraphs: [
      `The payment of ${organizationName} for ${planName} failed and is still due.`,
      "The subscription continues once the open invoice is paid in the customer portal:",
    ],
  }),
  paused: ({ organizationName, planName }) => ({
    subject: `${planName} is paused`,
    paragraphs: [
      `The subscription of ${organizationName} to ${planName} is paused. Nothing is charged until it is resumed.`,
      "You can manage it in the customer portal:",
    ],
  }),
  duplicated: ({ organizationName, planName, otherPlanNames }) => ({
    subject: `${organizationName} has more than one subscription`,
    paragraphs: [
      `A subscription of ${organizationName} to ${planName} has started, besides the one to ${otherPlanNames.join(", ")}. You may be charged for each of them.`,
      "Please cancel the one that you do not need in the customer portal:",
    ],
  }),
  ending: ({ organizationName, planName, end }) => ({
    subject: `${planName} ends on ${end}`,
    paragraphs: [
      `The subscription of ${organizationName} to ${planName} was canceled, and ends on ${end} (UTC).`,
      "Until then you can resume it:",
    ],
  }),
  ended: ({ organizationName, planName, otherPlanNames }) => ({
    subject: `${planName} has ended`,
    paragraphs: [
      `The subscription of ${organizationName} to ${planName} has ended.`,
      otherPlanNames.length === 0
        ? "You can buy a new one at any time:"
        : `The subscription to ${otherPlanNames.join(", ")} continues:`,
    ],
  }),
};
