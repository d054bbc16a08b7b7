import { Id, cardPurposes, cardStatuses, page, text } from "@purser/core";
import { z } from "zod";

const CardStatus = z.enum(cardStatuses).meta({ id: "CardStatus" });

const CardPurpose = z.enum(cardPurposes).meta({ id: "CardPurpose" });

export const Card = z
  .object({
    id: z.string(),
    organizationId: z.string(),
    assignedToId: z.string(),
    createdById: z.string(),
    fundingAccountId: z.string(),
    policyId: z.string(),
    nickname: z.string().nullable(),
    purpose: CardPurpose,
    status: CardStatus,
    lastFour: z.string(),
    expiryMonth: z.int(),
    expiryYear: z.int(),
    closedAt: z.date().nullable(),
  })
  .meta({ id: "Card" });

export const CardListItem = z
  .object({
    id: z.string(),
    organizationId: z.string(),
    assignedTo: z.object({
      id: z.string(),
      name: z.string().nullable(),
      email: z.string(),
      avatarUrl: z.string().nullable(),
    }),
    policy: z.object({ id: z.string(), name: z.string(), description: z.string().nullable() }),
  })
  .meta({ id: "CardListItem" });

export const UpdatedCardStatus = z
  .object({ id: z.string(), status: CardStatus, closedAt: z.date().nullable() })
  .meta({ id: "UpdatedCardStatus" });

export const ListCards = z.strictObject({
  organizationId: Id,
  status: CardStatus.optional(),
  ...page("card"),
});

const Nickname = text(100).trim().min(1).nullable();

export const CreateCard = z.strictObject({
  organizationId: Id,
  assignedToId: Id,
  fundingAccountId: Id,
  policyId: Id,
  nickname: Nickname.optional(),
  purpose: CardPurpose,
});

export const TheCard = z.strictObject({ organizationId: Id, cardId: Id });

export const UpdateCardStatus = TheCard.extend({
  status: CardStatus,
  reason: text(500).trim().min(1).optional(),
});

export const UpdateCard = TheCard.extend({
  nickname: Nickname.optional(),
  policyId: Id.optional(),
  assignedToId: Id.optional(),
});
