import {
  BankTransaction,
  GetTransaction,
  ListTransactions,
  UpdateTransaction,
  exportTransactions,
  findTransactionRow,
  getTransaction,
  listTransactions,
  updateBankTransaction,
} from "@purser/banking/transactions";
import { z } from "zod";
import { inField, naming } from "../resource.ts";
import { asCsv, fromReplica, inOrganization, userProcedure } from "../trpc.ts";

const theTransaction = inField("transactionId", "BANK_TRANSACTION_NOT_FOUND", findTransactionRow);

export const transactions = {
  list: userProcedure
    .meta({
      rest: { method: "GET", path: "/api/banking/transactions", csv: true },
      summary:
        "Lists the transactions of a team's bank accounts, newest first. With `Accept: text/csv`, all of them as CSV.",
      access: "member",
      returns: "A page of the transactions, newest first. Without `status`, only booked ones.",
      errors: ["ORGANIZATION_NOT_FOUND", "BANK_ACCOUNT_NOT_FOUND", "CONNECTION_NOT_FOUND"],
    })
    .input(ListTransactions)
    .output(z.array(BankTransaction))
    .use(inOrganization("member"))
    .use(fromReplica)
    .use(asCsv(exportTransactions))
    .query(({ ctx, input }) => listTransactions(ctx, input)),

  get: userProcedure
    .meta({
      rest: { method: "GET", path: "/api/banking/transactions/:id", params: { id: "transactionId" } },
      summary: "Returns a bank transaction, booked or pending.",
      access: "member",
      returns: "The transaction.",
      errors: ["ORGANIZATION_NOT_FOUND", "BANK_TRANSACTION_NOT_FOUND"],
    })
    .input(GetTransaction)
    .output(BankTransaction)
    .use(inOrganization("member"))
    .query(({ ctx, input }) => getTransaction(ctx, input)),

  update: userProcedure
    .meta({
      rest: { method: "PATCH", path: "/api/banking/transactions/:id", params: { id: "transactionId" } },
      summary:
        "Sets the category and the note of a bank transaction. The bank never overwrites them. They stay when a pending transaction is posted, when its account is linked again, and when accounts are merged.",
      access: "owner",
      returns: "The transaction.",
      errors: ["ORGANIZATION_NOT_FOUND", "FORBIDDEN", "BANK_TRANSACTION_NOT_FOUND"],
    })
    .input(UpdateTransaction)
    .output(BankTransaction)
    .use(inOrganization("owner", naming(theTransaction)))
    .mutation(({ ctx, input }) => updateBankTransaction(ctx, input)),
};
