import {
  Backtest,
  BacktestPolicy,
  CardPolicy,
  CardPolicyListItem,
  CheckPolicy,
  CreatePolicy,
  ListPolicies,
  UpdatePolicy,
  backtestPolicy,
  checkPolicy,
  createPolicy,
  listPolicies,
  updatePolicy,
} from "@purser/cards/policies";
import { CardDecision } from "@purser/cards/transactions";
import { z } from "zod";
import { inOrganization, userProcedure } from "../trpc.ts";

export const policies = {
  list: userProcedure
    .meta({
      rest: { method: "GET", path: "/api/cards/policies" },
      summary:
        "Lists the card policies of an organization, newest first, each with the number of cards that follow it and are not closed.",
      errors: ["ORGANIZATION_NOT_FOUND"],
    })
    .input(ListPolicies)
    .output(z.array(CardPolicyListItem))
    .use(inOrganization("member"))
    .query(({ ctx, input }) => listPolicies(ctx, input)),

  create: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/cards/policies", status: 201 },
      summary: "Creates a card policy. What it does not restrict is allowed.",
      errors: ["ORGANIZATION_NOT_FOUND", "FORBIDDEN"],
    })
    .input(CreatePolicy)
    .output(CardPolicy)
    .use(inOrganization("owner"))
    .mutation(({ ctx, input }) => createPolicy(ctx, input)),

  update: userProcedure
    .meta({
      rest: { method: "PATCH", path: "/api/cards/policies/:id", params: { id: "policyId" } },
      summary:
        "Changes a card policy, for the very next purchase with any card that follows it. An absent field stays as it is; null clears a field that may be null.",
      errors: ["ORGANIZATION_NOT_FOUND", "FORBIDDEN", "CARD_POLICY_NOT_FOUND"],
    })
    .input(UpdatePolicy)
    .output(CardPolicy)
    .use(inOrganization("owner"))
    .mutation(({ ctx, input }) => updatePolicy(ctx, input)),

  // Cardholders may ask about their own cards: the service tells them from others.
  check: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/cards/policies/check" },
      summary:
        "Tells whether a purchase would pass now or at another time, and why not: on a card, under a draft of a policy, or on a card as if it followed the draft.",
      errors: ["ORGANIZATION_NOT_FOUND", "FORBIDDEN", "CARD_NOT_FOUND"],
    })
    .input(CheckPolicy)
    .output(CardDecision)
    .use(inOrganization("member"))
    .query(({ ctx, input }) => checkPolicy(ctx, input)),

  backtest: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/cards/policies/backtest" },
      summary:
        "Tells what a policy or a draft of one would have declined among past purchases that were approved. Limits count from the beginning of the range.",
      errors: ["ORGANIZATION_NOT_FOUND", "FORBIDDEN", "CARD_POLICY_NOT_FOUND", "CARD_NOT_FOUND"],
    })
    .input(BacktestPolicy)
    .output(Backtest)
    .use(inOrganization("owner"))
    .query(({ ctx, input }) => backtestPolicy(ctx, input)),
};
