import {
  Card,
  CardListItem,
  CardRevealLink,
  CreateCard,
  ListCards,
  TheCard,
  UpdateCard,
  UpdateCardStatus,
  UpdatedCardStatus,
  createCard,
  getCard,
  listCards,
  revealCard,
  updateCard,
  updateCardStatus,
} from "@purser/cards";
import { z } from "zod";
import { naming, theAssignee, theCard, theFundingAccount, thePolicy } from "../resource.ts";
import { inOrganization, userProcedure } from "../trpc.ts";

export const cards = {
  list: userProcedure
    .meta({
      rest: { method: "GET", path: "/api/cards" },
      summary: "Lists the cards of an organization, newest first. Members see the cards assigned to them.",
      access: "member",
      returns: "A page of the cards, newest first.",
      errors: ["ORGANIZATION_NOT_FOUND"],
    })
    .input(ListCards)
    .output(z.array(CardListItem))
    .use(inOrganization("member"))
    .query(({ ctx, input }) => listCards(ctx, input)),

  create: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/cards", status: 201 },
      summary:
        "Issues a card to a member. The card follows a policy, and has the currency and country of its funding account.",
      access: "owner",
      returns: "The issued card, which is ACTIVE.",
      errors: [
        "ORGANIZATION_NOT_FOUND",
        "FORBIDDEN",
        "MEMBERSHIP_NOT_FOUND",
        "CARD_POLICY_NOT_FOUND",
        "BANK_ACCOUNT_NOT_FOUND",
        "CONNECTION_DISCONNECTED",
        "CARDHOLDER_DETAILS_REQUIRED",
        "PROVIDER_NOT_CONFIGURED",
        "NOT_SUPPORTED_BY_PROVIDER",
        "PROVIDER_ERROR",
      ],
    })
    .input(CreateCard)
    .output(Card)
    .use(inOrganization("owner", naming(theAssignee, thePolicy, theFundingAccount)))
    .mutation(({ ctx, input }) => createCard(ctx, input)),

  get: userProcedure
    .meta({
      rest: { method: "GET", path: "/api/cards/:id", params: { id: "cardId" } },
      summary: "Returns a card.",
      access: "cardholder",
      returns: "The card.",
      errors: ["ORGANIZATION_NOT_FOUND", "CARD_NOT_FOUND"],
    })
    .input(TheCard)
    .output(Card)
    .use(inOrganization("member"))
    .query(({ ctx, input }) => getCard(ctx, input)),

  update: userProcedure
    .meta({
      rest: { method: "PATCH", path: "/api/cards/:id", params: { id: "cardId" } },
      summary:
        "Updates the nickname, policy or holder of a card. Absent fields are unchanged; a null nickname clears it. A new holder does not see earlier purchases. Stripe binds a card to its first holder.",
      access: "owner",
      returns: "The card after the change.",
      errors: [
        "ORGANIZATION_NOT_FOUND",
        "FORBIDDEN",
        "CARD_NOT_FOUND",
        "CARD_POLICY_NOT_FOUND",
        "MEMBERSHIP_NOT_FOUND",
        "CARD_CLOSED",
        "PROVIDER_NOT_CONFIGURED",
        "NOT_SUPPORTED_BY_PROVIDER",
      ],
    })
    .input(UpdateCard)
    .output(Card)
    .use(inOrganization("owner", naming(theCard, thePolicy, theAssignee)))
    .mutation(({ ctx, input }) => updateCard(ctx, input)),

  // Open to members, because cardholders pause, resume and close their own cards. `refuseStatus` has the rules.
  updateStatus: userProcedure
    .meta({
      rest: { method: "PATCH", path: "/api/cards/status" },
      summary:
        "Updates the status of a card. It applies to the next purchase. Owners set any status; cardholders pause, resume and close their own card. CLOSED is final.",
      access: "cardholder",
      returns: "The card's status after the change.",
      errors: ["ORGANIZATION_NOT_FOUND", "FORBIDDEN", "CARD_NOT_FOUND", "CARD_CLOSED", "ASSIGNEE_NOT_MEMBER"],
    })
    .input(UpdateCardStatus)
    .output(UpdatedCardStatus)
    .use(inOrganization("member", naming(theCard)))
    .mutation(({ ctx, input }) => updateCardStatus(ctx, input)),

  reveal: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/cards/:id/reveal", params: { id: "cardId" } },
      summary:
        "Creates a link to a page that shows the number, expiry and CVC of an ACTIVE or PAUSED card once, within 60 seconds. A repeat with the same Idempotency-Key is refused, because the link is not stored.",
      returnsSecret: true,
      access: "holder",
      returns: "The link.",
      errors: [
        "ORGANIZATION_NOT_FOUND",
        "FORBIDDEN",
        "CARD_NOT_FOUND",
        "CARD_CLOSED",
        "CARD_FROZEN",
        "PROVIDER_NOT_CONFIGURED",
        "NOT_SUPPORTED_BY_PROVIDER",
      ],
    })
    .input(TheCard)
    .output(CardRevealLink)
    .use(inOrganization("member", naming(theCard)))
    .mutation(({ ctx, input }) => revealCard(ctx, input)),
};
