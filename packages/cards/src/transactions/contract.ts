import {
  Amount,
  Id,
  Instant,
  InstantUntil,
  cardChannels,
  cardDecisionOutcomes,
  cardTransactionOrigins,
  cardTransactionStatuses,
  explained,
  explainedValues,
  page,
  sharedFields,
  text,
  anyOf,
  cardLimitIntervals,
} from "@purser/core";
import { z } from "zod";
import { DeclineReasonText, CardLimitInterval, declineReasonOf } from "../authorizations/contract.ts";

const CardTransactionStatus = z.enum(cardTransactionStatuses).meta({
  id: "CardTransactionStatus",
  ...explainedValues(
    cardTransactionStatuses,
    "The status of a card transaction. COMPLETED and DECLINED are final.",
    {
      PENDING: "approved. The amount is held and counts against the limit.",
      COMPLETED: "the merchant has taken the money, or given it back with a refund.",
      DECLINED: "refused, or approved and then reversed or expired. No money moved.",
    },
  ),
});

const outcomes = {
  approved: "the purchase may proceed, possibly for less than requested.",
  declined: "the purchase is refused, or its approval was withdrawn.",
};

const merchantCategory =
  "The category of the merchant as the card network reports it: a four-digit code of ISO 18245, such as 5812, or a name, such as eating_places_restaurants.";

export const CardTransaction = z
  .object({
    id: z.string().meta(sharedFields.cardTransactionId),
    cardId: z.string().meta(sharedFields.cardId),
    amount: z
      .int()
      .meta(
        explained(
          "In minor units of `currency`: what is held while PENDING, what was cleared when COMPLETED, what was refused or last held when DECLINED. Negative for a refund.",
          6200,
        ),
      ),
    currency: z
      .string()
      .meta(
        explained(
          "The currency of `amount`: ISO 4217, upper case. It is the card's, unless the purchase was declined because it is in another (`currency_not_supported`).",
          "GBP",
        ),
      ),
    merchantName: z
      .string()
      .meta(explained("The merchant's name as the network reports it.", "Restaurant De Haven")),
    merchantId: z
      .string()
      .nullable()
      .meta(explained("The network's id of the merchant. Null if the network gives none.", "174030075991")),
    merchantCategory: z
      .string()
      .nullable()
      .meta(explained(`${merchantCategory} Null if the network gives none.`, "5812")),
    description: z
      .string()
      .nullable()
      .meta(
        explained(
          "More about the transaction, in words, such as `Dispute: funds reinstated`. Null for most.",
          null,
        ),
      ),
    status: CardTransactionStatus,
    declineReason: DeclineReasonText.nullable().meta({
      ...declineReasonOf("Why the transaction was declined. Null unless its status is DECLINED."),
      examples: [null],
    }),
    createdAt: z
      .date()
      .meta(explained("When the purchase reached the service.", new Date("2026-03-18T19:48:36.000Z"))),
    settledAt: z
      .date()
      .nullable()
      .meta(explained("When the transaction became COMPLETED. Null until then.", null)),
  })
  .meta({
    id: "CardTransaction",
    description: "A purchase, a refund or a dispute with a card, as far as the card network has reported it.",
  });

export const ListCardTransactions = z
  .strictObject({
    organizationId: Id.meta(sharedFields.organizationId),
    cardId: Id.meta({
      ...sharedFields.cardId,
      description: "Only transactions with this card. If absent, with all.",
    }).optional(),
    status: CardTransactionStatus.meta({
      description: `Only transactions with this status: ${anyOf(cardTransactionStatuses)}. If absent, all.`,
    }).optional(),
    from: Instant.meta(sharedFields.from).optional(),
    to: InstantUntil.meta(sharedFields.to).optional(),
    merchantCategory: text(255)
      .meta(
        explained(
          "Only transactions with exactly this `merchantCategory`. A code does not find its name, nor a name its code.",
          "5812",
        ),
      )
      .optional(),
    minAmount: Amount.meta(
      explained("Only transactions of this amount or more, in minor units of their currency.", 1000),
    ).optional(),
    maxAmount: Amount.meta(
      explained("Only transactions of this amount or less, in minor units of their currency.", 20_000),
    ).optional(),
    ...page("ctx"),
  })
  .refine(({ from, to }) => !from || !to || from <= to, { path: ["from"], error: "Must not be after to" })
  .refine(
    ({ minAmount, maxAmount }) =>
      minAmount === undefined || maxAmount === undefined || minAmount <= maxAmount,
    { path: ["minAmount"], error: "Must not be greater than maxAmount" },
  );

export const ExplainCardTransaction = z.strictObject({
  organizationId: Id.meta(sharedFields.organizationId),
  transactionId: Id.meta(sharedFields.cardTransactionId),
});

/** A decision and its basis. */
export const CardDecision = z
  .object({
    outcome: z.enum(cardDecisionOutcomes).meta({
      ...explainedValues(cardDecisionOutcomes, "What was decided.", outcomes),
      examples: ["declined"],
    }),
    reason: DeclineReasonText.nullable().meta(
      declineReasonOf("Why the purchase is declined. Null for an approval."),
    ),
    requestedAmount: z
      .int()
      .nullable()
      .meta(
        explained(
          "What the merchant requested, in minor units of the transaction's currency. Null if nothing was requested.",
          6200,
        ),
      ),
    approvedAmount: z
      .int()
      .nullable()
      .meta(
        explained(
          "What is approved, in minor units of the card's currency. 0 for a decline. Less than `requestedAmount` for a partial approval: what was left of the limit. Null if nothing was requested.",
          0,
        ),
      ),
    limit: z
      .int()
      .nullable()
      .meta(
        explained(
          "The policy's limit, in minor units of the card's currency. Of several, the one that declines the purchase, otherwise the one with the least remaining: it explains a decline only if `reason` ends in `_limit_exceeded`. A smaller purchase may exceed another limit; `cards.policies.check` tells. Null if it has none, and for a purchase in another currency.",
          15_000,
        ),
      ),
    used: z
      .int()
      .nullable()
      .meta(
        explained(
          "What counted against the limit before this purchase, in minor units of the card's currency. Null without a limit.",
          11_900,
        ),
      ),
    remaining: z
      .int()
      .nullable()
      .meta(
        explained(
          "What was left of the limit before this purchase, in minor units of the card's currency, at least 0. Null without a limit.",
          3100,
        ),
      ),
    resetsAt: z
      .date()
      .nullable()
      .meta(
        explained(
          "When the next day, week, month or year of the limit starts, in the organization's time zone. Null without a limit, and for a limit per transaction or for all time.",
          new Date("2026-03-19T00:00:00.000Z"),
        ),
      ),
    interval: CardLimitInterval.nullable().meta(
      explained(`The interval of the limit: ${anyOf(cardLimitIntervals)}. Null without a limit.`, "DAILY"),
    ),
  })
  .meta({ id: "CardDecision", description: "A decision on a purchase, and its basis." });

const origin = z.enum(cardTransactionOrigins).meta(
  explainedValues(cardTransactionOrigins, "What created the transaction. Only an authorization is decided.", {
    authorization: "a request to approve a purchase.",
    force_post: "a clearing without a request. The merchant takes the money in any case.",
    refund:
      "money back from the merchant, with a negative amount, or taken again when the refund is reversed.",
    dispute: "money back from a dispute, with a negative amount, or taken again when the dispute is lost.",
  }),
);

const decidedAt = explained("When it was decided.", new Date("2026-03-18T19:48:36.000Z"));

/** A decision on a request to hold more. */
const CardIncrement = CardDecision.extend({
  amount: z.int().meta(explained("The additional amount, in minor units of the card's currency.", 800)),
  decidedAt: z.date().meta(decidedAt),
}).meta({ id: "CardIncrement", description: "The decision on a request to hold more for a purchase." });

const recordedOutcomes = [...cardDecisionOutcomes, "not_requested"] as const;

/** The decision on a card transaction, and what became of it. */
export const RecordedCardDecision = CardDecision.extend({
  outcome: z.enum(recordedOutcomes).meta({
    ...explainedValues(recordedOutcomes, "What was decided.", {
      ...outcomes,
      not_requested: "a force post, a refund or a dispute, which need no approval.",
    }),
    examples: ["declined"],
  }),
  decidedAt: z.date().meta(decidedAt),
  origin,
  increments: z
    .array(CardIncrement)
    .meta(explained("The decisions on requests to hold more, the oldest first. Mostly empty.")),
  amountBeyondApproval: z
    .int()
    .meta(
      explained(
        "What the merchant cleared beyond the approved amount, or without an approval, in minor units of the card's currency. Otherwise 0.",
        0,
      ),
    ),
}).meta({
  id: "RecordedCardDecision",
  description: "The decision on a card transaction, and what became of it.",
});

/** How a card is used in a purchase. */
export const CardChannel = z.enum(cardChannels).meta({
  id: "CardChannel",
  ...explainedValues(
    cardChannels,
    "How the card is used. If it is unknown, use `online`, as the service does.",
    {
      in_store: "at a terminal of the merchant.",
      online: "without the card being present: on the web, by phone or by mail.",
      atm: "a withdrawal of cash.",
    },
  ),
});

/** The decision on a card transaction, with the transaction, and what of the purchase that does not tell. */
export const ExplainedCardDecision = RecordedCardDecision.extend({
  transaction: CardTransaction.meta(sharedFields.declinedTransaction),
  channel: CardChannel.meta({ description: "How the card was used, as the decision saw it." }),
  merchantCountry: z
    .string()
    .nullable()
    .meta(explained("The merchant's country: ISO 3166-1 alpha-2. Null if the network gives none.", "NL")),
  withdrawnApproval: z
    .object({
      approvedAt: z.date().meta(explained("When it was approved.", new Date("2026-03-18T19:48:36.000Z"))),
      approvedAmount: z
        .int()
        .nullable()
        .meta(explained("What was approved, in minor units of the card's currency.", 6200)),
    })
    .nullable()
    .meta(
      explained(
        "The approval that the network did not carry out. `reason` and `decidedAt` then tell of its withdrawal. Null for all other decisions.",
        null,
      ),
    ),
  canCheck: z
    .boolean()
    .meta(
      explained(
        "Whether `cards.policies.check` tells what the same purchase would meet now. False unless it was declined, and for a decline that neither the card nor its policy decides: another currency, the card issuer, a hold that ended.",
        true,
      ),
    ),
}).meta({
  id: "ExplainedCardDecision",
  description: "The decision on a card transaction, what became of it, and how the card was used.",
});

/** The merchant of a purchase. A transaction shows null for what is not known, so null is accepted too. */
export const MerchantInput = z
  .strictObject({
    name: text(200)
      .trim()
      .min(1)
      .meta(explained("The merchant's name, of 1 to 200 characters.", "Restaurant De Haven")),
    id: text(100)
      .trim()
      .min(1)
      .nullable()
      .meta(
        explained(
          "The network's id of the merchant. `blockedMerchants` may name it. Null if it is not known.",
          "174030075991",
        ),
      )
      .optional(),
    category: text(100)
      .trim()
      .min(1)
      .nullable()
      .meta(
        explained(
          `${merchantCategory} Null if it is not known. Without one, a policy with \`merchantCategories\` declines.`,
          "5812",
        ),
      )
      .optional(),
    country: text(2)
      .regex(/^[A-Z]{2}$/, { error: "Must be an upper-case ISO 3166-1 alpha-2 code" })
      .nullable()
      .meta(
        explained(
          "The merchant's country: ISO 3166-1 alpha-2, upper case. If absent or null, the purchase does not count as international.",
          "NL",
        ),
      )
      .optional(),
  })
  .meta(explained("The merchant of the purchase."));
