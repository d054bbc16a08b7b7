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
import { CardTransaction, Channel, Merchant } from "../transactions/contract.ts";

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
  error: "Must be a merchant category code of four digits, or the network's name of a category",
});

/** The terms of a policy, each optional: absent is the default on create, and no change on update. */
const rules = {
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

/** Whether a policy begins before it ends, if it has both instants. */
export const beginsBeforeItEnds = ({ activeFrom, activeTo }: Period) =>
  !activeFrom || !activeTo || activeFrom < activeTo;

interface Period {
  activeFrom?: Date | null | undefined;
  activeTo?: Date | null | undefined;
}

/** The validation error for a policy that does not. */
export const endsBeforeItBegins = { path: ["activeFrom"], error: "Must be before activeTo" };

export const ListPolicies = z.strictObject({ organizationId: Id, ...page("pol") });

export const CreatePolicy = z
  .strictObject({ organizationId: Id, name: Name, ...rules })
  .refine(beginsBeforeItEnds, endsBeforeItBegins);

export const UpdatePolicy = z
  .strictObject({ organizationId: Id, policyId: Id, name: Name.optional(), ...rules })
  .refine(beginsBeforeItEnds, endsBeforeItBegins);

/** A draft of a policy, which need not exist. */
export const PolicyDraft = z
  .strictObject({ name: Name.optional(), ...rules })
  .refine(beginsBeforeItEnds, endsBeforeItBegins)
  .meta({ id: "CardPolicyDraft" });

export const CheckPolicy = z
  .strictObject({
    organizationId: Id,
    cardId: Id.optional(),
    policy: PolicyDraft.optional(),
    amount: Amount.min(0),
    merchant: Merchant,
    channel: Channel,
    at: Instant.optional(),
  })
  .refine(({ cardId, policy }) => cardId !== undefined || policy !== undefined, {
    path: ["cardId"],
    error: "Name a card, a draft of a policy, or both",
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
    error: "Name a policy or give a draft of one",
  })
  .refine(({ from, to }) => !from || !to || from <= to, { path: ["from"], error: "Must not be after to" });

/**
 * What a policy would have decided on past purchases that were approved. Amounts are the approved ones, in minor units
 * of the cards' currencies. The samples are the newest purchases that would have been declined.
 */
export const Backtest = z
  .object({
    evaluated: z.int(),
    approved: z.int(),
    declined: z.int(),
    amountDeclined: z.int(),
    reasons: z.array(z.object({ reason: z.string(), count: z.int(), amount: z.int() })),
    samples: z.array(CardTransaction),
  })
  .meta({ id: "CardPolicyBacktest" });
