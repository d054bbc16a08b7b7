import {
  Id,
  cardLimitIntervals,
  cardPurposes,
  cardStatuses,
  exampleIds,
  explained,
  explainedValues,
  page,
  sharedFields,
  text,
  anyOf,
} from "@purser/core";
import { z } from "zod";
import { CardLimitInterval } from "./authorizations/contract.ts";

const CardStatus = z.enum(cardStatuses).meta({
  id: "CardStatus",
  ...explainedValues(cardStatuses, "Whether a card can be used.", {
    ACTIVE: "purchases are decided by the card's policy.",
    PAUSED: "purchases are declined. The cardholder or an owner can resume the card.",
    FROZEN:
      "purchases are declined. Only an owner can lift it. A card freezes when its holder leaves the organization.",
    CLOSED: "purchases are declined for good. A closed card cannot be opened again.",
  }),
});

const CardPurpose = z.enum(cardPurposes).meta({
  id: "CardPurpose",
  ...explainedValues(cardPurposes, "What the card is for. A label that restricts nothing; the policy does.", {
    PERSONAL: "a person's own expenses.",
    BUSINESS: "expenses of the company, such as travel.",
    ONLINE: "purchases online.",
    SUBSCRIPTION: "recurring payments, such as software.",
  }),
});

const assignedToId = explained(
  "The cardholder: the id of a user, not of a membership. The user must be a member of the organization. It is `userId` in the list of members.",
  exampleIds.user,
);

const fundingAccountId = explained(
  "The bank account that funds the card. It determines the card's currency and country.",
  exampleIds.bac,
);

const policyId = explained("The policy that decides on the card's purchases.", exampleIds.pol);

const nickname = explained(
  "A label for people, of 1 to 100 characters. Null if the card has none.",
  "Travel",
);

const closedAt = explained("When the card was closed. Null unless its status is CLOSED.", null);

export const Card = z
  .object({
    id: z.string().meta(sharedFields.cardId),
    organizationId: z.string().meta(sharedFields.organizationId),
    assignedToId: z.string().meta(assignedToId),
    createdById: z.string().meta(explained("The id of the user who issued the card.", exampleIds.user)),
    fundingAccountId: z.string().meta(fundingAccountId),
    policyId: z.string().meta(policyId),
    nickname: z.string().nullable().meta(nickname),
    purpose: CardPurpose,
    status: CardStatus,
    lastFour: z
      .string()
      .meta(explained("The last four digits of the card's number. The full number is never stored.", "4242")),
    expiryMonth: z.int().meta(explained("The last month in which the card is valid, from 1 to 12.", 3)),
    expiryYear: z.int().meta(explained("The year of the expiry month, in four digits.", 2030)),
    closedAt: z.date().nullable().meta(closedAt),
  })
  .meta({ id: "Card", description: "A payment card, issued to a member." });

const CardSpending = z
  .object({
    limit: z
      .int()
      .nullable()
      .meta(
        explained(
          "The policy's limit, in minor units of the card's currency. Of several, the one with the least remaining. Null without one.",
          50_000,
        ),
      ),
    interval: CardLimitInterval.nullable().meta(
      explained(`What the limit applies to: ${anyOf(cardLimitIntervals)}. Null without a limit.`, "MONTHLY"),
    ),
    used: z
      .int()
      .meta(
        explained(
          "What counts against the limit in the current interval, in minor units: holds and cleared purchases. 0 for a limit for each purchase, and without a limit.",
          12_350,
        ),
      ),
    remaining: z
      .int()
      .nullable()
      .meta(
        explained("What is left of the limit, in minor units; never below 0. Null without a limit.", 37_650),
      ),
    resetsAt: z
      .date()
      .nullable()
      .meta(
        explained(
          "When the interval ends and the limit is whole again. Null for a limit for each purchase or for all time, and without a limit.",
          new Date("2026-04-01T00:00:00.000Z"),
        ),
      ),
    isNearLimit: z
      .boolean()
      .meta(
        explained(
          "Whether more than 80 % of the limit is used, so that purchases may be declined soon.",
          false,
        ),
      ),
  })
  .meta({ id: "CardSpending", description: "The limit of a card's policy, and what is used of it now." });

export const CardListItem = z
  .object({
    id: z.string().meta(sharedFields.cardId),
    organizationId: z.string().meta(sharedFields.organizationId),
    assignedTo: z
      .object({
        id: z.string().meta(sharedFields.userId),
        name: z.string().nullable().meta(sharedFields.personName),
        email: z.string().meta(sharedFields.personEmail),
        avatarUrl: z.string().nullable().meta(sharedFields.personAvatarUrl),
      })
      .meta(explained("The cardholder.")),
    policy: z
      .object({
        id: z.string().meta(sharedFields.policyId),
        name: z.string().meta(sharedFields.policyName),
        description: z.string().nullable().meta(sharedFields.policyDescription),
      })
      .meta(explained("The policy that decides on the card's purchases.")),
    nickname: Card.shape.nickname,
    purpose: CardPurpose,
    status: CardStatus,
    lastFour: Card.shape.lastFour,
    expiryMonth: Card.shape.expiryMonth,
    expiryYear: Card.shape.expiryYear,
    currency: z
      .string()
      .meta(explained("The currency of the card: ISO 4217, upper case. All its amounts are in it.", "GBP")),
    spending: CardSpending,
    nextStatuses: z
      .array(CardStatus)
      .meta(
        explained(
          "The statuses that the caller may give to the card now, besides the present one. Empty for a closed card.",
          ["PAUSED", "CLOSED"],
        ),
      ),
    canUpdate: z
      .boolean()
      .meta(
        explained("Whether the caller may change the holder, policy or nickname of the card now.", false),
      ),
    canReassign: z
      .boolean()
      .meta(
        explained(
          "Whether the caller may give the card to another holder now. False where its issuer binds a card to one person.",
          false,
        ),
      ),
    canReveal: z
      .boolean()
      .meta(explained("Whether the number of the card may be shown to the caller now.", true)),
  })
  .meta({ id: "CardListItem", description: "A card as lists show it. `cards.get` returns the whole card." });

export const UpdatedCardStatus = z
  .object({
    id: z.string().meta(sharedFields.cardId),
    status: CardStatus,
    closedAt: z.date().nullable().meta(closedAt),
  })
  .meta({ id: "UpdatedCardStatus", description: "The status of a card after the change." });

export const CardRevealLink = z
  .object({
    url: z
      .string()
      .meta(
        explained(
          "The address of a page that shows the card's number, expiry and CVC. Open it in the cardholder's browser. It works once, without a session, so treat it as a password.",
          `https://purser.example.com/cards/reveal/sandbox#${exampleIds.org}.pHc0y8wGvQm3dCqk2Jr5uT9xLzN1bVfW6sEaRiYoK4M`,
        ),
      ),
    expiresAt: z
      .date()
      .meta(explained("When the link ends, 60 seconds from now.", new Date("2026-03-02T09:01:00.000Z"))),
  })
  .meta({ id: "CardRevealLink", description: "A link to a page that shows the number of a card once." });

export const ListCards = z.strictObject({
  organizationId: Id.meta(sharedFields.organizationId),
  status: CardStatus.meta({
    description: `Only cards with this status: ${anyOf(cardStatuses)}. If absent, all.`,
  }).optional(),
  ...page("card"),
});

const Nickname = text(100).trim().min(1).nullable().meta(nickname);

export const CreateCard = z.strictObject({
  organizationId: Id.meta(sharedFields.organizationId),
  assignedToId: Id.meta(assignedToId),
  fundingAccountId: Id.meta(fundingAccountId),
  policyId: Id.meta(policyId),
  nickname: Nickname.optional(),
  purpose: CardPurpose,
});

export const TheCard = z.strictObject({
  organizationId: Id.meta(sharedFields.organizationId),
  cardId: Id.meta(sharedFields.cardId),
});

export const UpdateCardStatus = TheCard.extend({
  status: CardStatus,
  reason: text(500)
    .trim()
    .min(1)
    .meta(explained("Why the status changes, for the audit trail. 1 to 500 characters.", "Lost on a train"))
    .optional(),
});

export const UpdateCard = TheCard.extend({
  nickname: Nickname.optional(),
  policyId: Id.meta(policyId).optional(),
  assignedToId: Id.meta(assignedToId).optional(),
});
