import {
  cardLimitIntervals,
  spendingLimitIntervals,
  explained,
  explainedValues,
  openText,
} from "@purser/core";
import { z } from "zod";

/** Every reason for which a purchase is declined, with its meaning. The first that applies is the reason. */
export const declineReasonMeanings = {
  card_closed: "the card is closed.",
  card_frozen: "the card is frozen.",
  card_paused: "the card is paused.",
  card_expired: "the expiry month of the card is over.",
  currency_not_supported: "the purchase is not in the card's currency.",
  policy_not_started: "it is before the policy's `activeFrom`.",
  policy_expired: "it is at or after the policy's `activeTo`.",
  day_not_allowed: "the policy's `daysOfWeek` do not include the day.",
  atm_not_allowed: "the policy does not allow ATM withdrawals.",
  online_not_allowed: "the policy does not allow purchases online.",
  international_not_allowed:
    "the merchant is in another country than the card, and the policy does not allow that.",
  merchant_category_not_allowed: "the policy's `merchantCategories` do not include the merchant's category.",
  merchant_category_blocked: "the policy's `blockedMerchantCategories` include the merchant's category.",
  merchant_blocked: "the policy's `blockedMerchants` include the merchant.",
  merchant_not_allowed: "the policy's `allowedMerchants` do not include the merchant.",
  transaction_limit_exceeded: "the amount exceeds the limit for one purchase.",
  daily_limit_exceeded: "the amount exceeds what is left of the day's limit.",
  weekly_limit_exceeded: "the amount exceeds what is left of the week's limit.",
  monthly_limit_exceeded: "the amount exceeds what is left of the month's limit.",
  yearly_limit_exceeded: "the amount exceeds what is left of the year's limit.",
  all_time_limit_exceeded: "the amount exceeds what is left of the limit for all time.",
  authorization_reversed: "the merchant released the whole hold.",
  authorization_expired: "nothing cleared the hold in time, usually within 7 days.",
  decision_timed_out: "the decision did not reach the network in time, so the network declined.",
  issuer_declined: "the card issuer declined without a decision of this service.",
};

/** Explains a field with a reason to decline. `sentence` says of what. */
export const declineReasonOf = (sentence: string) =>
  explained(
    [
      `${sentence}\n`,
      ...Object.entries(declineReasonMeanings).map(([reason, meaning]) => `- \`${reason}\`: ${meaning}`),
      "\nMore reasons may be added.",
    ].join("\n"),
    "daily_limit_exceeded",
  );

export const DeclineReasonText = openText(
  Object.keys(declineReasonMeanings) as (keyof typeof declineReasonMeanings)[],
).meta({
  id: "DeclineReason",
  ...declineReasonOf("Why a purchase is declined."),
});

const intervals = {
  PER_TRANSACTION: "each purchase separately.",
  DAILY: "all purchases of a day.",
  WEEKLY: "all purchases of a week, which starts on Monday.",
  MONTHLY: "all purchases of a calendar month.",
};

export const CardLimitInterval = z.enum(cardLimitIntervals).meta({
  id: "LimitInterval",
  ...explainedValues(
    cardLimitIntervals,
    "What a limit applies to, for each card. Days, weeks, months and years are those of the organization's time zone.",
    {
      ...intervals,
      YEARLY: "all purchases of a calendar year.",
      ALL_TIME: "all purchases with the card. This limit never resets.",
    },
  ),
});

export const SpendingLimitInterval = z.enum(spendingLimitIntervals).meta({
  id: "SpendingLimitInterval",
  ...explainedValues(
    spendingLimitIntervals,
    "What `spendingLimit` applies to, for each card. Days, weeks and months are those of the organization's time zone.",
    intervals,
  ),
});
