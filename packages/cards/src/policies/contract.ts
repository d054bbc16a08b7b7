import {
  Amount,
  Id,
  Instant,
  Name,
  cardLimitIntervals,
  explained,
  isMerchantCategory,
  maxPolicyCategories,
  maxPolicyMerchants,
  page,
  sharedFields,
  text,
  limitPairOf,
} from "@purser/core";
import { z } from "zod";
import { CardLimitInterval, SpendingLimitInterval } from "../authorizations/contract.ts";
import { CardChannel, CardDecision, MerchantInput } from "../transactions/contract.ts";

/** Explains the terms of a policy, which it has, takes and drafts. */
const about = {
  spendingLimit: explained(
    "The most that each card may spend per `limitInterval`, in minor units of the card's currency, 0 or more. It is the first of `limits`. Null for no limit, and if the first of `limits` is YEARLY or ALL_TIME.",
    15_000,
  ),
  limitInterval: explained(
    "What the limit applies to: `PER_TRANSACTION` (each purchase), `DAILY`, `WEEKLY` (from Monday) or `MONTHLY` (calendar months), in the organization's time zone. Null is the same as `PER_TRANSACTION`. An interval without a limit limits nothing.",
    "DAILY",
  ),
  limits: explained(
    "All limits of each card, at most one of each interval. A purchase must fit them all. Give either `limits`, or the pair `spendingLimit` and `limitInterval` for a single one. The first one is also `spendingLimit` and `limitInterval`: to give both where they differ is an error, and a change of that pair alone replaces the first limit and keeps the others.",
    [
      { amount: 15_000, interval: "DAILY" },
      { amount: 200_000, interval: "PER_TRANSACTION" },
    ],
  ),
  allowAtm: explained("Whether ATM withdrawals are allowed. True by default.", false),
  allowOnline: explained(
    "Whether purchases online are allowed. A purchase of unknown channel counts as online. True by default.",
    true,
  ),
  allowInternational: explained(
    "Whether purchases from merchants in another country than the card's are allowed. The card's country is that of its funding account's bank. If the country of the merchant or of the card is unknown, the purchase is not international. True by default.",
    true,
  ),
  merchantCategories: explained(
    "The only categories of merchants that are allowed, at most 500. Empty allows all. Each is a four-digit merchant category code of ISO 18245, such as 5812, or the name that card issuers have for it, such as eating_places_restaurants. A name includes all of its codes: airlines_air_carriers includes 4511 and the codes 3000 to 3350 of single airlines. `cards.merchantCategories.list` lists them.",
    ["5812", "hotels_motels_and_resorts"],
  ),
  blockedMerchantCategories: explained(
    "Categories of merchants at which purchases are declined, at most 500, each a code or a name as in `merchantCategories`. A merchant of unknown category is in none of them.",
    ["betting_casino_gambling"],
  ),
  blockedMerchants: explained(
    "Merchants at which purchases are declined, at most 1000: the network's id of the merchant, or its whole name. Case and spaces do not matter.",
    ["Bakery Row", "174030075991"],
  ),
  allowedMerchants: explained(
    "The only merchants at which purchases are allowed, at most 1000, named as in `blockedMerchants`. Empty allows all. An allowed merchant must still pass the rules for categories.",
    ["Rail Europe"],
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

const limit = {
  amount: explained("The most that each card may spend, in minor units of its currency, 0 or more.", 200_000),
  description: "The most that each card may spend in an interval.",
};

const CardLimit = z
  .object({ amount: z.int().meta(limit.amount), interval: CardLimitInterval })
  .meta({ id: "CardLimit", description: limit.description });

export const CardPolicy = z
  .object({
    id: z.string().meta(sharedFields.policyId),
    organizationId: z.string().meta(sharedFields.organizationId),
    name: z.string().meta(sharedFields.policyName),
    description: z.string().nullable().meta(sharedFields.policyDescription),
    spendingLimit: z.int().nullable().meta(about.spendingLimit),
    limitInterval: SpendingLimitInterval.nullable().meta(about.limitInterval),
    limits: z.array(CardLimit).meta(about.limits),
    allowAtm: z.boolean().meta(about.allowAtm),
    allowOnline: z.boolean().meta(about.allowOnline),
    allowInternational: z.boolean().meta(about.allowInternational),
    merchantCategories: z.array(z.string()).meta(about.merchantCategories),
    blockedMerchantCategories: z.array(z.string()).meta(about.blockedMerchantCategories),
    blockedMerchants: z.array(z.string()).meta(about.blockedMerchants),
    allowedMerchants: z.array(z.string()).meta(about.allowedMerchants),
    activeFrom: z.date().nullable().meta(about.activeFrom),
    activeTo: z.date().nullable().meta(about.activeTo),
    daysOfWeek: z.array(z.int()).meta(about.daysOfWeek),
  })
  .meta({
    id: "CardPolicy",
    description: "What the cards that follow it may be used for. Limits apply to each card separately.",
  });

/** Terms of a policy that let a purchase pass. */
export const PassingTerms = CardPolicy.omit({
  id: true,
  organizationId: true,
  name: true,
  description: true,
  spendingLimit: true,
  limitInterval: true,
})
  .partial()
  .meta({
    id: "PassingTerms",
    description:
      "The terms of the policy that must change so that the purchase passes, each with its whole new value, as `cards.policies.update` and a draft take them.",
    examples: [{ limits: [{ amount: 18_100, interval: "DAILY" }] }],
  });

/** What would be decided on a purchase. */
export const CheckedPurchase = CardDecision.extend({
  passesWith: PassingTerms.nullable().meta(
    explained(
      "What to change in the policy so that the purchase passes: all of it, while `reason` is the first rule that declines. Null for an approval, if no policy lets the purchase pass, and if the list that must grow is full.",
    ),
  ),
}).meta({ id: "CheckedPurchase", description: "What would be decided on a purchase." });

export const CardPolicyListItem = CardPolicy.extend({
  cardCount: z.int().meta(explained("The number of cards that follow the policy and are not CLOSED.", 2)),
  currencies: z
    .array(z.string())
    .meta(
      explained(
        "The currencies of these cards: ISO 4217, that of most cards first. The amounts of the policy are in the currency of each card.",
        ["GBP"],
      ),
    ),
}).meta({
  id: "CardPolicyListItem",
  description: "A policy with the number and the currencies of its cards.",
});

const MerchantCategory = text(100).trim().refine(isMerchantCategory, {
  error: "Must be a four-digit merchant category code or the name of a category",
});

const MerchantNames = z.array(text(200).trim().min(1)).max(maxPolicyMerchants);

const NewLimit = z
  .strictObject({ amount: Amount.min(0).meta(limit.amount), interval: CardLimitInterval })
  .meta({ id: "NewCardLimit", description: limit.description });

type LimitInput = z.infer<typeof NewLimit>;

const hasOneOfEach = (limits: readonly LimitInput[]) =>
  new Set(limits.map(({ interval }) => interval)).size === limits.length;

const oneOfEachError = { error: "Must have at most one limit of each interval" };

/** The terms of a policy. An absent field takes its default on create, and stays unchanged on update. */
const terms = {
  description: text(1000).trim().nullable().meta(sharedFields.policyDescription).optional(),
  spendingLimit: Amount.min(0).nullable().meta(about.spendingLimit).optional(),
  limitInterval: SpendingLimitInterval.nullable().meta(about.limitInterval).optional(),
  limits: z
    .array(NewLimit)
    .max(cardLimitIntervals.length)
    .refine(hasOneOfEach, oneOfEachError)
    .meta(about.limits)
    .optional(),
  allowAtm: z.boolean().meta(about.allowAtm).optional(),
  allowOnline: z.boolean().meta(about.allowOnline).optional(),
  allowInternational: z.boolean().meta(about.allowInternational).optional(),
  merchantCategories: z
    .array(MerchantCategory)
    .max(maxPolicyCategories)
    .meta(about.merchantCategories)
    .optional(),
  blockedMerchantCategories: z
    .array(MerchantCategory)
    .max(maxPolicyCategories)
    .meta(about.blockedMerchantCategories)
    .optional(),
  blockedMerchants: MerchantNames.meta(about.blockedMerchants).optional(),
  allowedMerchants: MerchantNames.meta(about.allowedMerchants).optional(),
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

/** Whether a pair and limits in one input agree. An interval without a limit limits nothing. */
function pairAgrees({ spendingLimit, limitInterval, limits }: PairAndLimits): boolean {
  if (limits === undefined) return true;
  const pair = limitPairOf(limits);
  if (spendingLimit !== undefined && spendingLimit !== pair.spendingLimit) return false;
  if (limitInterval === undefined || limits.length === 0) return true;
  return (
    (pair.spendingLimit !== null && limitInterval === null ? "PER_TRANSACTION" : limitInterval) ===
    pair.limitInterval
  );
}

interface PairAndLimits {
  spendingLimit?: number | null | undefined;
  limitInterval?: z.infer<typeof SpendingLimitInterval> | null | undefined;
  limits?: readonly LimitInput[] | undefined;
}

const pairError = { path: ["limits"], error: "Must begin with spendingLimit and limitInterval" };

/** The policy that results from an update. It must be valid, whichever of the fields that depend on each other change. */
export const ResultingPolicy = z
  .object({
    activeFrom: z.date().nullable(),
    activeTo: z.date().nullable(),
    limits: z.array(CardLimit).refine(hasOneOfEach, oneOfEachError),
  })
  .refine(isPeriod, periodError);

export const ListPolicies = z.strictObject({ organizationId, ...page("pol") });

export const CreatePolicy = z
  .strictObject({ organizationId, name: policyName, ...terms })
  .refine(isPeriod, periodError)
  .refine(pairAgrees, pairError);

export const UpdatePolicy = z
  .strictObject({
    organizationId,
    policyId: Id.meta(sharedFields.policyId),
    name: policyName.optional(),
    ...terms,
  })
  .refine(isPeriod, periodError)
  .refine(pairAgrees, pairError);

/** A policy that is not stored. */
export const PolicyDraft = z
  .strictObject({ name: policyName.optional(), ...terms })
  .refine(isPeriod, periodError)
  .refine(pairAgrees, pairError)
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
