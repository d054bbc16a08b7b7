import {
  CardTransaction,
  ExplainCardTransaction,
  ListCardTransactions,
  ExplainedCardDecision,
  explainCardTransaction,
  exportCardTransactions,
  listCardTransactions,
} from "@purser/cards/transactions";
import { z } from "zod";
import { asCsv, fromReplica, inOrganization, userProcedure } from "../trpc.ts";

export const transactions = {
  list: userProcedure
    .meta({
      rest: { method: "GET", path: "/api/cards/transactions", csv: true },
      summary:
        "Lists the card transactions of an organization, newest first. Members see those of the cards assigned to them. With `Accept: text/csv`, all of them as CSV.",
      access: "member",
      returns: "A page of the card transactions, newest first.",
      errors: ["ORGANIZATION_NOT_FOUND", "CARD_NOT_FOUND"],
    })
    .input(ListCardTransactions)
    .output(z.array(CardTransaction))
    .use(inOrganization("member"))
    .use(fromReplica)
    .use(asCsv(exportCardTransactions))
    .query(({ ctx, input }) => listCardTransactions(ctx, input)),

  explain: userProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/api/cards/transactions/:id/decision",
        params: { id: "transactionId" },
      },
      summary:
        "Explains the decision on a card transaction: the reason for a decline, and the limit with its remaining amount. The reason is the first rule that declines, in the order in which the reasons are listed. Others may decline too: `cards.policies.check` with the card and the purchase, whose amount is `requestedAmount`, returns in `passesWith` everything that would have to change in the policy.",
      access: "cardholder",
      returns: "The decision with its basis, and what became of the transaction.",
      errors: ["ORGANIZATION_NOT_FOUND", "CARD_TRANSACTION_NOT_FOUND"],
    })
    .input(ExplainCardTransaction)
    .output(ExplainedCardDecision)
    .use(inOrganization("member"))
    .query(({ ctx, input }) => explainCardTransaction(ctx, input)),
};
