import {
  Backtest,
  BacktestPolicy,
  CardPolicy,
  CardPolicyListItem,
  CheckPolicy,
  CheckedPurchase,
  CreatePolicy,
  ListPolicies,
  UpdatePolicy,
  backtestCardPolicy,
  checkCardPolicy,
  createCardPolicy,
  listCardPolicies,
  updateCardPolicy,
} from "@purser/cards/policies";
import { z } from "zod";
import { naming, theCard, thePolicy, thePolicyOfCards } from "../resource.ts";
import { inOrganization, userProcedure } from "../trpc.ts";

export const policies = {
  list: userProcedure
    .meta({
      rest: { method: "GET", path: "/api/cards/policies" },
      summary:
        "Lists the card policies of an organization, newest first, each with the number and the currencies of its open cards.",
      access: "member",
      returns: "A page of the policies, newest first.",
      errors: ["ORGANIZATION_NOT_FOUND"],
    })
    .input(ListPolicies)
    .output(z.array(CardPolicyListItem))
    .use(inOrganization("member"))
    .query(({ ctx, input }) => listCardPolicies(ctx, input)),

  create: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/cards/policies", status: 201 },
      summary: "Creates a card policy. It allows everything that it does not restrict.",
      access: "owner",
      returns: "The new policy, with its defaults filled in.",
      errors: ["ORGANIZATION_NOT_FOUND", "FORBIDDEN"],
    })
    .input(CreatePolicy)
    .output(CardPolicy)
    .use(inOrganization("owner"))
    .mutation(({ ctx, input }) => createCardPolicy(ctx, input)),

  update: userProcedure
    .meta({
      rest: { method: "PATCH", path: "/api/cards/policies/:id", params: { id: "policyId" } },
      summary:
        "Updates a card policy. The change applies to the next purchase with any of its cards. Absent fields are unchanged; null clears a nullable field.",
      access: "owner",
      returns: "The policy after the change.",
      errors: ["ORGANIZATION_NOT_FOUND", "FORBIDDEN", "CARD_POLICY_NOT_FOUND"],
    })
    .input(UpdatePolicy)
    .output(CardPolicy)
    .use(inOrganization("owner", naming(thePolicy)))
    .mutation(({ ctx, input }) => updateCardPolicy(ctx, input)),

  // Open to members, because cardholders may check their own cards.
  check: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/cards/policies/check" },
      summary:
        "Decides on a hypothetical purchase, now or at another time: with a card, under a draft policy, or with a card as if it followed the draft. Returns the reason for a decline, and what to change in the policy so that the purchase passes.",
      access: "cardholder",
      returns: "The decision and its basis. Nothing is stored.",
      errors: ["ORGANIZATION_NOT_FOUND", "FORBIDDEN", "CARD_NOT_FOUND"],
    })
    .input(CheckPolicy)
    .output(CheckedPurchase)
    .use(inOrganization("member"))
    .query(({ ctx, input }) => checkCardPolicy(ctx, input)),

  backtest: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/cards/policies/backtest" },
      summary:
        "Replays approved purchases under a policy or a draft, and reports which it would have declined. Limits count from the start of the range.",
      access: "owner",
      returns:
        "How many purchases the policy would have declined, why, and the newest of them. Nothing is stored.",
      errors: ["ORGANIZATION_NOT_FOUND", "FORBIDDEN", "CARD_POLICY_NOT_FOUND", "CARD_NOT_FOUND"],
    })
    .input(BacktestPolicy)
    .output(Backtest)
    .use(inOrganization("owner", naming(thePolicy, thePolicyOfCards, theCard)))
    .query(({ ctx, input }) => backtestCardPolicy(ctx, input)),
};
