import {
  CardTransaction,
  ExplainCardTransaction,
  ListCardTransactions,
  RecordedCardDecision,
  explainCardTransaction,
  listCardTransactions,
} from "@purser/cards/transactions";
import { z } from "zod";
import { fromReplica, inOrganization, userProcedure } from "../trpc.ts";

export const transactions = {
  list: userProcedure
    .meta({
      rest: { method: "GET", path: "/api/cards/transactions" },
      summary:
        "Lists the card transactions of an organization, newest first; members see those of the cards assigned to them.",
      errors: ["ORGANIZATION_NOT_FOUND", "CARD_NOT_FOUND"],
    })
    .input(ListCardTransactions)
    .output(z.array(CardTransaction))
    .use(inOrganization("member"))
    .use(fromReplica)
    .query(({ ctx, input }) => listCardTransactions(ctx, input)),

  explain: userProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/api/cards/transactions/:id/decision",
        params: { id: "transactionId" },
      },
      summary:
        "Tells what the decision on a card transaction was based on: why it was declined, and what was left of the limit. To its organization's owners and the card's holder.",
      errors: ["ORGANIZATION_NOT_FOUND", "CARD_TRANSACTION_NOT_FOUND"],
    })
    .input(ExplainCardTransaction)
    .output(RecordedCardDecision)
    .use(inOrganization("member"))
    .query(({ ctx, input }) => explainCardTransaction(ctx, input)),
};
