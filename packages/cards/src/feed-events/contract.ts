import { eventContract, exampleIds, explained } from "@purser/core";
import { z } from "zod";
import { Card } from "../contract.ts";
import { CardPolicy } from "../policies/contract.ts";
import { CardDecision, CardTransaction, RecordedCardDecision } from "../transactions/contract.ts";

/** The events of cards, their policies and their transactions. */
export const cardEventContracts = [
  eventContract("card.created", Card, "A card was issued."),
  eventContract(
    "card.updated",
    Card,
    "The nickname, the policy, the funding account or the expiry of a card was changed.",
  ),
  eventContract("card.status_changed", Card, "A card was paused, frozen, resumed or closed."),
  eventContract("card.assigned", Card, "A card was assigned to another member."),
  eventContract("card.revealed", Card, "The cardholder requested to see the number of the card."),
  eventContract("card_policy.created", CardPolicy, "A policy was created."),
  eventContract(
    "card_policy.updated",
    CardPolicy.extend({
      before: CardPolicy.omit({ id: true, organizationId: true })
        .partial()
        .optional()
        .meta({
          description:
            "What the changed fields were before. Absent in events that an earlier version of the service recorded.",
          examples: [{ limits: [{ amount: 40_000, interval: "MONTHLY" }] }],
        }),
    }),
    "A policy was changed.",
  ),
  eventContract(
    "card_transaction.approved",
    CardTransaction,
    "A purchase was approved, and its amount is held. Also a purchase that the network approved without this service.",
  ),
  eventContract(
    "card_transaction.declined",
    CardTransaction.extend({
      decision: RecordedCardDecision.meta(explained("The decision and its basis.")),
    }),
    "A purchase was declined.",
  ),
  eventContract(
    "card_transaction.incremented",
    CardTransaction.extend({
      approved: z.boolean().meta(explained("Whether the additional amount was approved.", true)),
      decision: CardDecision.meta(explained("The decision on the additional amount, and its basis.")),
    }),
    "The merchant requested to hold more for a purchase. Recorded for a refusal too.",
  ),
  eventContract("card_transaction.reversed", CardTransaction, "A hold was released, or a part of it."),
  eventContract("card_transaction.settled", CardTransaction, "The merchant took the money, or a part of it."),
  eventContract(
    "card_transaction.refunded",
    CardTransaction.extend({
      originalTransactionId: z
        .string()
        .nullable()
        .meta(explained("The purchase that is refunded. Null if it is not known.", exampleIds.ctx)),
    }),
    "Money came back to the card. The subject is the transaction of the refund.",
  ),
  eventContract("card_transaction.expired", CardTransaction, "A hold that nothing cleared was released."),
] as const;

export type CardEvent = z.output<(typeof cardEventContracts)[number]>;
