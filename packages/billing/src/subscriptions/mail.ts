import type { SubscriptionChange } from "./rules.ts";

interface MailData {
  organizationName: string;
  planName: string;
  currentPeriodEnd: Date;
  appUrl: string;
}

/** The changes that owners receive a mail about. */
export type NotifiedChange = Exclude<SubscriptionChange, "started" | "recovered" | "resumed">;

export const isNotified = (change: SubscriptionChange): change is NotifiedChange => change in mails;

/** Returns the mail to an owner about a change. */
export function mailOf(change: NotifiedChange, data: MailData): { subject: string; text: string } {
  const end = data.currentPeriodEnd.toISOString().slice(0, 10);
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
    subject: `${planName} is not paid for`,
    paragraphs: [
      `The payment of ${organizationName} for ${planName} failed several times and will not be retried.`,
      "The subscription continues once the open invoice is paid in the customer portal:",
    ],
  }),
  ending: ({ organizationName, planName, end }) => ({
    subject: `${planName} ends on ${end}`,
    paragraphs: [
      `The subscription of ${organizationName} to ${planName} was canceled. It stays active until ${end} (UTC), and then ends.`,
      "Until then you can resume it:",
    ],
  }),
  ended: ({ organizationName, planName }) => ({
    subject: `${planName} has ended`,
    paragraphs: [
      `The subscription of ${organizationName} to ${planName} has ended.`,
      "You can buy a new one at any time:",
    ],
  }),
};
