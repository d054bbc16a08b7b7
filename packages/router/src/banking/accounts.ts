import {
  BankAccount,
  BankAccountDetails,
  GetAccount,
  ListAccounts,
  MergeAccounts,
  getAccount,
  listAccounts,
  mergeAccounts,
} from "@purser/banking/accounts";
import { z } from "zod";
import { naming, theAccount, theContinuingAccount } from "../resource.ts";
import { fromReplica, inOrganization, userProcedure } from "../trpc.ts";

export const accounts = {
  list: userProcedure
    .meta({
      rest: { method: "GET", path: "/api/banking/accounts" },
      summary: "Lists the bank accounts of a team with their balances, newest first.",
      access: "member",
      returns: "A page of the bank accounts, newest first.",
      errors: ["ORGANIZATION_NOT_FOUND", "CONNECTION_NOT_FOUND", "BANK_ACCOUNT_NOT_FOUND"],
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
      access: "member",
      returns: "The bank account with its ten newest transactions.",
      errors: ["ORGANIZATION_NOT_FOUND", "BANK_ACCOUNT_NOT_FOUND"],
    })
    .input(GetAccount)
    .output(BankAccountDetails)
    .use(inOrganization("member"))
    .query(({ ctx, input }) => getAccount(ctx, input)),

  merge: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/banking/accounts/:id/merge", params: { id: "accountId" } },
      summary:
        "Merges a bank account into another one that is the same account, for example after it was linked again without its number. `intoAccountId` continues with its own connection and balances. It gets the transactions of `accountId`, without duplicates, and the cards that `accountId` funds. `accountId` ends. A moved transaction stays until the bank of `intoAccountId` lists the same amount on the same day: then it is that one. A merge cannot be undone.",
      access: "owner",
      returns: "The account that continues.",
      errors: ["ORGANIZATION_NOT_FOUND", "FORBIDDEN", "BANK_ACCOUNT_NOT_FOUND", "ACCOUNTS_CANNOT_MERGE"],
    })
    .input(MergeAccounts)
    .output(BankAccountDetails)
    .use(inOrganization("owner", naming(theAccount, theContinuingAccount)))
    .mutation(({ ctx, input }) => mergeAccounts(ctx, input)),
};
