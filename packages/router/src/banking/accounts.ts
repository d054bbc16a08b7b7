import {
  BankAccount,
  BankAccountDetails,
  GetAccount,
  ListAccounts,
  getAccount,
  listAccounts,
} from "@purser/banking/accounts";
import { z } from "zod";
import { fromReplica, inOrganization, userProcedure } from "../trpc.ts";

export const accounts = {
  list: userProcedure
    .meta({
      rest: { method: "GET", path: "/api/banking/accounts" },
      summary: "Lists the bank accounts of a team with their balances, newest first.",
      errors: ["ORGANIZATION_NOT_FOUND", "CONNECTION_NOT_FOUND"],
    })
    .input(ListAccounts)
    .output(z.array(BankAccount))
    .use(inOrganization("member"))
    .use(fromReplica)
    .query(({ ctx, input }) => listAccounts(ctx, input)),

  get: userProcedure
    .meta({
      rest: { method: "GET", path: "/api/banking/accounts/:id", params: { id: "accountId" } },
      summary: "Returns a bank account with its ten newest transactions and its transaction count.",
      errors: ["ORGANIZATION_NOT_FOUND", "BANK_ACCOUNT_NOT_FOUND"],
    })
    .input(GetAccount)
    .output(BankAccountDetails)
    .use(inOrganization("member"))
    .query(({ ctx, input }) => getAccount(ctx, input)),
};
