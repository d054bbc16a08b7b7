import { Id, Instant, InstantUntil, explained, sharedFields } from "@purser/core";
import { z } from "zod";
import { DeclineReasonText, declineReasonOf } from "../authorizations/contract.ts";
import { CardTransaction } from "../transactions/contract.ts";
import { PolicyDraft } from "./contract.ts";

export const BacktestPolicy = z
  .strictObject({
    organizationId: Id.meta(sharedFields.organizationId),
    policyId: Id.meta({
      ...sharedFields.policyId,
      description: "The stored policy to replay purchases under. Requires that `policy` is absent.",
    }).optional(),
    policy: PolicyDraft.meta(
      explained("The draft to replay purchases under. Requires that `policyId` is absent."),
    ).optional(),
    from: Instant.meta({
      ...sharedFields.from,
      description: "Only purchases from this time on. Limits count from here. By default the first purchase.",
    }).optional(),
    to: InstantUntil.meta({
      ...sharedFields.to,
      description: "Only purchases up to this time, itself included. By default now.",
    }).optional(),
    cardId: Id.meta({
      ...sharedFields.cardId,
      description: "Only purchases with this card. If absent, with all cards of the organization.",
    }).optional(),
    cardsOfPolicyId: Id.meta({
      ...sharedFields.policyId,
      description:
        "Only purchases with the cards that follow this stored policy now and are not CLOSED. Requires that `cardId` is absent.",
    }).optional(),
  })
  .refine(({ policyId, policy }) => (policyId === undefined) !== (policy === undefined), {
    path: ["policy"],
    error: "Requires either policyId or policy",
  })
  .refine(({ cardId, cardsOfPolicyId }) => cardId === undefined || cardsOfPolicyId === undefined, {
    path: ["cardsOfPolicyId"],
    error: "Requires that cardId is absent",
  })
  .refine(({ from, to }) => !from || !to || from <= to, { path: ["from"], error: "Must not be after to" });

const CurrencyAmount = z
  .object({
    currency: z.string().meta(sharedFields.currency),
    amount: z.int().meta(explained("In minor units of `currency`.", 18_400)),
  })
  .meta({ id: "CurrencyAmount", description: "A sum in one currency." });

export const Backtest = z
  .object({
    evaluated: z
      .int()
      .meta(explained("The number of past purchases that were replayed: those that were approved.", 120)),
    approved: z.int().meta(explained("How many of them the policy would have approved.", 112)),
    declined: z.int().meta(explained("How many of them the policy would have declined.", 8)),
    partiallyApproved: z
      .int()
      .meta(
        explained(
          "How many of the approved ones would have been approved for less than was approved then, where the merchant accepted that and the organization's settings allow it.",
          0,
        ),
      ),
    amountDeclined: z
      .int()
      .meta(
        explained(
          "The sum of all amounts that would have been declined, in minor units. With cards in several currencies, read `amountsDeclined`.",
          18_400,
        ),
      ),
    amountsDeclined: z
      .array(CurrencyAmount)
      .meta(explained("What would have been declined, per currency, in alphabetical order.")),
    reasons: z
      .array(
        z.object({
          reason: DeclineReasonText.meta(declineReasonOf("Why the policy would have declined.")),
          count: z.int().meta(explained("How many purchases would have been declined for this reason.", 8)),
          amount: z
            .int()
            .meta(explained("The sum of their amounts, in minor units, like `amountDeclined`.", 18_400)),
          amounts: z
            .array(CurrencyAmount)
            .meta(explained("Their amounts per currency, in alphabetical order.")),
        }),
      )
      .meta(explained("The reasons for which purchases would have been declined, the most frequent first.")),
    samples: z
      .array(CardTransaction)
      .meta(explained("The newest purchases that would have been declined, at most 20.")),
  })
  .meta({
    id: "CardPolicyBacktest",
    description: "What a policy would have decided on past purchases that were approved.",
  });
