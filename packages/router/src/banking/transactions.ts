import { BankTransaction, ListTransactions, listTransactions } from "@purser/banking/transactions";
import { z } from "zod";
import { fromReplica, inOrganization, userProcedure } from "../trpc.ts";

export const transactions = {
  list: userProcedure
    .meta({
      rest: { method: "GET", path: "/api/banking/transactions" },
      summary: "Lists the transactions of a team's bank accounts, newest first.",
      access: "member",
      returns: "A page of the booked transactions, newest first. Pending transactions are not in it.",
      errors: ["ORGANIZATION_NOT_FOUND", "BANK_ACCOUNT_NOT_FOUND", "CONNECTION_NOT_FOUND"],
    })
    .input(ListTransactions)
    .output(z.array(BankTransaction))
    .use(inOrganization("member"))
    .use(fromReplica)
    .query(({ ctx, input }) => listTransactions(ctx, input)),
};
