import {
  Amount,
  Id,
  Instant,
  InstantUntil,
  Name,
  cardLimitIntervals,
  isMerchantCategory,
  page,
  text,
} from "@purser/core";
import { z } from "zod";
import { CardChannel, CardTransaction, MerchantInput } from "../transactions/contract.ts";

const LimitInterval = z.enum(cardLimitIntervals).meta({ id: "LimitInterval" });

export const CardPolicy = z
  .object({
    id: z.string(),
    organizationId: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    spendingLimit: z.int().nullable(),
    limitInterval: LimitInterval.nullable(),
    allowAtm: z.boolean(),
    allowOnline: z.boolean(),
    allowInternational: z.boolean(),
    merchantCategories: z.array(z.string()),
    blockedMerchants: z.array(z.string()),
    activeFrom: z.date().nullable(),
    activeTo: z.date().nullable(),
    daysOfWeek: z.array(z.int()),
  })
  .meta({ id: "CardPolicy" });

export const CardPolicyListItem = CardPolicy.extend({ cardCount: z.int() }).meta({
  id: "CardPolicyListItem",
});

const MerchantCategory = text(100).trim().refine(isMerchantCategory, {
  error: "Must be a four-digit merchant category code or the name of a category",
});

/** The terms of a policy. An absent field takes its default on create, and stays unchanged on update. */
const terms = {
  description: text(1000).trim().nullable().optional(),
  spendingLimit: Amount.min(0).nullable().optional(),
  limitInterval: LimitInterval.nullable().optional(),
  allowAtm: z.boolean().optional(),
  allowOnline: z.boolean().optional(),
  allowInternational: z.boolean().optional(),
  merchantCategories: z.array(MerchantCategory).max(500).optional(),
  blockedMerchants: z.array(text(200).trim().min(1)).max(1000).optional(),
  activeFrom: Instant.nullable().optional(),
  activeTo: Instant.nullable().optional(),
  daysOfWeek: z.array(z.int().min(0).max(6)).max(7).optional(),
};

const isPeriod = ({ activeFrom, activeTo }: Period) => !activeFrom || !activeTo || activeFrom < activeTo;

interface Period {
  activeFrom?: Date | null | undefined;
  activeTo?: Date | null | undefined;
}

const periodError = { path: ["activeFrom"], error: "Must be before activeTo" };

/** The active period of a policy. An update must leave a valid one, whichever of the two instants it changes. */
export const PolicyPeriod = z
  .object({ activeFrom: z.date().nullable(), activeTo: z.date().nullable() })
  .refine(isPeriod, periodError);

export const ListPolicies = z.strictObject({ organizationId: Id, ...page("pol") });

export const CreatePolicy = z
  .strictObject({ organizationId: Id, name: Name, ...terms })
  .refine(isPeriod, periodError);

export const UpdatePolicy = z
  .strictObject({ organizationId: Id, policyId: Id, name: Name.optional(), ...terms })
  .refine(isPeriod, periodError);

/** A policy that is not stored. */
export const PolicyDraft = z
  .strictObject({ name: Name.optional(), ...terms })
  .refine(isPeriod, periodError)
  .meta({ id: "CardPolicyDraft" });

export const CheckPolicy = z
  .strictObject({
    organizationId: Id,
    cardId: Id.optional(),
    policy: PolicyDraft.optional(),
    amount: Amount.min(0),
    merchant: MerchantInput,
    channel: CardChannel,
    acceptsPartialApproval: z
      .boolean()
      .meta({
        description:
          "Whether the merchant accepts an approval of less than the amount. It then depends on the organization's setting partialApprovals. False by default.",
      })
      .optional(),
    at: Instant.optional(),
  })
  .refine(({ cardId, policy }) => cardId !== undefined || policy !== undefined, {
    path: ["cardId"],
    error: "Requires cardId, policy, or both",
  });

export const BacktestPolicy = z
  .strictObject({
    organizationId: Id,
    policyId: Id.optional(),
    policy: PolicyDraft.optional(),
    from: Instant.optional(),
    to: InstantUntil.optional(),
    cardId: Id.optional(),
  })
  .refine(({ policyId, policy }) => (policyId === undefined) !== (policy === undefined), {
    path: ["policy"],
    error: "Requires either policyId or policy",
  })
  .refine(({ from, to }) => !from || !to || from <= to, { path: ["from"], error: "Must not be after to" });

const CurrencyAmount = z
  .object({ currency: z.string(), amount: z.int() })
  .meta({ id: "CurrencyAmount", description: "An amount in minor units of a currency." });

/**
 * What a policy would have decided on past purchases that were approved. Amounts are the approved ones, in minor units
 * of the cards' currencies. The samples are the newest purchases that would have been declined.
 */
export const Backtest = z
  .object({
    evaluated: z.int(),
    approved: z.int(),
    declined: z.int(),
    partiallyApproved: z.int().meta({
      description:
        "How many of the approved purchases would have been approved for less than was approved then, where the merchant accepted that and the organization's settings allow it.",
    }),
    amountDeclined: z.int().meta({
      description: "The sum of all declined amounts. With cards in several currencies, read amountsDeclined.",
    }),
    amountsDeclined: z.array(CurrencyAmount),
    reasons: z.array(
      z.object({
        reason: z.string(),
        count: z.int(),
        amount: z.int().meta({ description: "The sum of all amounts, like amountDeclined." }),
        amounts: z.array(CurrencyAmount),
      }),
    ),
    samples: z.array(CardTransaction),
  })
  .meta({ id: "CardPolicyBacktest" });
