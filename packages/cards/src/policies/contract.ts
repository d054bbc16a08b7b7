import {
  Amount,
  Id,
  Instant,
  InstantUntil,
  Name,
  explained,
  isMerchantCategory,
  page,
  sharedFields,
  text,
} from "@purser/core";
import { z } from "zod";
import { DeclineReasonText, SpendingLimitInterval, declineReasonOf } from "../authorizations/contract.ts";
import { CardChannel, CardTransaction, MerchantInput } from "../transactions/contract.ts";

/** Explains the terms of a policy, which it has, takes and drafts. */
const about = {
  spendingLimit: explained(
    "The most that each card may spend per `limitInterval`, in minor units of the card's currency, 0 or more. Null for no limit.",
    15_000,
  ),
  limitInterval: explained(
    "What the limit applies to: `PER_TRANSACTION` (each purchase), `DAILY`, `WEEKLY` (from Monday) or `MONTHLY` (calendar months), in the organization's time zone. Null is the same as `PER_TRANSACTION`. An interval without a limit limits nothing.",
    "DAILY",
  ),
  allowAtm: explained("Whether ATM withdrawals are allowed. True by default.", false),
  allowOnline: explained(
    "Whether purchases online are allowed. A purchase of unknown channel counts as online. True by default.",
    true,
  ),
  allowInternational: explained(
    "Whether purchases from merchants in another country than the card's are allowed. The card's country is that of its funding account's bank. A merchant of unknown country is not international. True by default.",
    true,
  ),
  merchantCategories: explained(
    "The only categories of merchants that are allowed, at most 500. Empty allows all. Each is a four-digit merchant category code of ISO 18245, such as 5812, or the name that card issuers have for it, such as eating_places_restaurants. A name includes all of its codes: airlines_air_carriers includes 4511 and the codes 3000 to 3350 of single airlines.",
    ["5812", "hotels_motels_and_resorts"],
  ),
  blockedMerchants: explained(
    "Merchants at which purchases are declined, at most 1000: the network's id of the merchant, or its whole name. Case and spaces do not matter.",
    ["Bakery Row", "174030075991"],
  ),
  activeFrom: explained(
    "When the policy starts: purchases before this time are declined. Null for no start. It must be before `activeTo`.",
    new Date("2026-03-01T00:00:00.000Z"),
  ),
  activeTo: explained(
    "When the policy ends: purchases at or after this time are declined. Null for no end.",
    new Date("2027-03-01T00:00:00.000Z"),
  ),
  daysOfWeek: explained(
    "The days of the week on which purchases are allowed, in the organization's time zone: 0 is Sunday, 1 Monday, up to 6 Saturday. Empty allows every day.",
    [1, 2, 3, 4, 5],
  ),
};

export const CardPolicy = z
  .object({
    id: z.string().meta(sharedFields.policyId),
    organizationId: z.string().meta(sharedFields.organizationId),
    name: z.string().meta(sharedFields.policyName),
    description: z.string().nullable().meta(sharedFields.policyDescription),
    spendingLimit: z.int().nullable().meta(about.spendingLimit),
    limitInterval: SpendingLimitInterval.nullable().meta(about.limitInterval),
    allowAtm: z.boolean().meta(about.allowAtm),
    allowOnline: z.boolean().meta(about.allowOnline),
    allowInternational: z.boolean().meta(about.allowInternational),
    merchantCategories: z.array(z.string()).meta(about.merchantCategories),
    blockedMerchants: z.array(z.string()).meta(about.blockedMerchants),
    activeFrom: z.date().nullable().meta(about.activeFrom),
    activeTo: z.date().nullable().meta(about.activeTo),
    daysOfWeek: z.array(z.int()).meta(about.daysOfWeek),
  })
  .meta({
    id: "CardPolicy",
    description: "What the cards that follow it may be used for. Limits apply to each card by itself.",
  });

export const CardPolicyListItem = CardPolicy.extend({
  cardCount: z.int().meta(explained("The number of cards that follow the policy and are not CLOSED.", 2)),
}).meta({ id: "CardPolicyListItem", description: "A policy with its number of cards." });

const MerchantCategory = text(100).trim().refine(isMerchantCategory, {
  error: "Must be a four-digit merchant category code or the name of a category",
});

/** The terms of a policy. An absent field takes its default on create, and stays unchanged on update. */
const terms = {
  description: text(1000).trim().nullable().meta(sharedFields.policyDescription).optional(),
  spendingLimit: Amount.min(0).nullable().meta(about.spendingLimit).optional(),
  limitInterval: SpendingLimitInterval.nullable().meta(about.limitInterval).optional(),
  allowAtm: z.boolean().meta(about.allowAtm).optional(),
  allowOnline: z.boolean().meta(about.allowOnline).optional(),
  allowInternational: z.boolean().meta(about.allowInternational).optional(),
  merchantCategories: z.array(MerchantCategory).max(500).meta(about.merchantCategories).optional(),
  blockedMerchants: z.array(text(200).trim().min(1)).max(1000).meta(about.blockedMerchants).optional(),
  activeFrom: Instant.nullable().meta(about.activeFrom).optional(),
  activeTo: Instant.nullable().meta(about.activeTo).optional(),
  daysOfWeek: z.array(z.int().min(0).max(6)).max(7).meta(about.daysOfWeek).optional(),
};

const organizationId = Id.meta(sharedFields.organizationId);
const policyName = Name.meta(sharedFields.policyName);

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

export const ListPolicies = z.strictObject({ organizationId, ...page("pol") });

export const CreatePolicy = z
  .strictObject({ organizationId, name: policyName, ...terms })
  .refine(isPeriod, periodError);

export const UpdatePolicy = z
  .strictObject({
    organizationId,
    policyId: Id.meta(sharedFields.policyId),
    name: policyName.optional(),
    ...terms,
  })
  .refine(isPeriod, periodError);

/** A policy that is not stored. */
export const PolicyDraft = z
  .strictObject({ name: policyName.optional(), ...terms })
  .refine(isPeriod, periodError)
  .meta({
    id: "CardPolicyDraft",
    description: "A policy that is not stored. Absent fields have the defaults of a new policy.",
  });

export const CheckPolicy = z
  .strictObject({
    organizationId,
    cardId: Id.meta({
      ...sharedFields.cardId,
      description: "The card that pays, with what it has spent so far. Required without `policy`.",
    }).optional(),
    policy: PolicyDraft.meta(
      explained("A draft that decides instead of the card's policy. Required without `cardId`."),
    ).optional(),
    amount: Amount.min(0).meta(
      explained("The amount, in minor units of the card's currency. 0 is a verification of the card.", 6200),
    ),
    merchant: MerchantInput,
    channel: CardChannel,
    acceptsPartialApproval: z
      .boolean()
      .meta(
        explained(
          "Whether the merchant accepts an approval of less than the amount. It then depends on the organization's setting `partialApprovals`. False by default.",
          false,
        ),
      )
      .optional(),
    at: Instant.meta(
      explained("When the purchase happens. By default now.", new Date("2026-03-18T19:48:36.000Z")),
    ).optional(),
  })
  .refine(({ cardId, policy }) => cardId !== undefined || policy !== undefined, {
    path: ["cardId"],
    error: "Requires cardId, policy, or both",
  });

export const BacktestPolicy = z
  .strictObject({
    organizationId,
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
  })
  .refine(({ policyId, policy }) => (policyId === undefined) !== (policy === undefined), {
    path: ["policy"],
    error: "Requires either policyId or policy",
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
