import type { OtherSubscription } from "@purser/client";

/** Nothing is due while it is paused, so an unpaid one that owes nothing is paused. */
const isPausedNow = ({ status, isOverdue }: OtherSubscription): boolean => status === "UNPAID" && !isOverdue;

/** Whether a cancellation may end it at once: no paid period is running then. */
export const mayEndAtOnce = ({ status, canResumeLater }: OtherSubscription): boolean =>
  !canResumeLater && (status === "INCOMPLETE" || status === "UNPAID");

/** Until when it lasts, and what comes then: the text before the end of the period, and the text after it. */
export function subscriptionTerm(subscription: OtherSubscription): [before: string, after?: string] {
  const { status, isTrial, cancelAtPeriodEnd } = subscription;
  if (status === "CANCELED") return ["It has ended. Choose a plan to start again."];
  if (isTrial && cancelAtPeriodEnd) return ["Canceled. The trial lasts until ", ", and nothing is charged."];
  if (isTrial) return ["Free trial until ", ". The first payment is due then."];
  if (status === "ACTIVE")
    return cancelAtPeriodEnd
      ? ["Canceled. It is paid until ", ", and ends then."]
      : ["Paid until ", ". The next payment is due then."];
  if (cancelAtPeriodEnd) return ["Canceled. It ends on ", "."];
  if (isPausedNow(subscription)) return ["Nothing is charged during the pause."];
  return ["The period that is to be paid ends on ", "."];
}

/** What the dialog says before a cancellation. `end` is the day on which the period ends. */
export function cancellationConsequence(subscription: OtherSubscription, end: string): string {
  if (mayEndAtOnce(subscription)) return "It may end at once, and cannot be resumed then.";
  const { status, isTrial, canResumeLater } = subscription;
  const paid = isTrial ? "Its trial lasts" : "It is paid";
  const term =
    status === "ACTIVE" ? `${paid} until ${end}, and it stays active until then.` : `It lasts until ${end}.`;
  return canResumeLater ? `${term} You can resume it before that day.` : term;
}

/** How to get another plan. The service has no call for it. What a provider's own page offers, it does not tell. */
export function planChangeAdvice(subscription: OtherSubscription, mayCancel: boolean): string {
  if (!mayCancel) return "An owner can change the plan.";
  if (subscription.canCancel)
    return "To change the plan or how often you pay, cancel this one. When it has ended, choose another one here. Some payment providers also change it on their page, behind “Payment method and invoices”.";
  if (subscription.cancelAtPeriodEnd) return "This subscription ends. Then choose another one here.";
  // Its payment provider is switched off.
  return "The operator of this service can change the plan.";
}

interface PaymentTrouble {
  color: string;
  title: string;
  /** What an owner does about it. */
  advice: string;
  /** Whether another payment method may help. */
  isAboutPayment: boolean;
}

/** What is wrong with the payments. Undefined if nothing is. */
export function paymentTrouble(subscription: OtherSubscription): PaymentTrouble | undefined {
  return isPausedNow(subscription) ? pause : troubles[subscription.status];
}

const pause: PaymentTrouble = {
  color: "orange",
  title: "The subscription is paused",
  advice: "Nothing is charged until it is resumed at the payment provider.",
  isAboutPayment: false,
};

const troubles: Partial<Record<OtherSubscription["status"], PaymentTrouble>> = {
  PAST_DUE: {
    color: "orange",
    title: "The last payment failed",
    advice:
      "The payment provider tries again during the next days. Update the payment method now, so that the plan stays.",
    isAboutPayment: true,
  },
  UNPAID: {
    color: "red",
    title: "The subscription is not paid",
    advice: "All attempts to be paid failed. Update the payment method and pay the open invoice.",
    isAboutPayment: true,
  },
  INCOMPLETE: {
    color: "orange",
    title: "The first payment has not succeeded yet",
    advice: "Complete it at the payment provider. The subscription starts once it is paid.",
    isAboutPayment: true,
  },
};
