import {
  AddTransaction,
  ChangeConsent,
  ChangeTransaction,
  ClearFaults,
  PostTransaction,
  RemoveTransaction,
  SandboxTransaction,
  SetFault,
  addTransaction,
  changeConsent,
  changeTransaction,
  clearFaults,
  postTransaction,
  removeTransaction,
  setFault,
} from "@purser/banking/sandbox";
import type { ProblemCode } from "@purser/core";
import { z } from "zod";
import { inOrganization, userProcedure } from "../trpc.ts";

/** What every control refuses: only an owner has them, and only where the sandbox is the bank. */
const refusals: ProblemCode[] = [
  "ORGANIZATION_NOT_FOUND",
  "FORBIDDEN",
  "CONNECTION_NOT_FOUND",
  "NOT_SUPPORTED_BY_PROVIDER",
];

export const banking = {
  addTransaction: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/sandbox/banking/add-transaction" },
      summary:
        "Lets a transaction appear at the bank, posted or pending. It answers with the id under which the bank has it.",
      errors: [...refusals, "BANK_ACCOUNT_NOT_FOUND"],
    })
    .input(AddTransaction)
    .output(SandboxTransaction)
    .use(inOrganization("owner"))
    .mutation(({ ctx, input }) => addTransaction(ctx, input)),

  postTransaction: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/sandbox/banking/post-transaction" },
      summary: "Posts a pending transaction, which then has a new id at the bank.",
      errors: [...refusals, "BANK_TRANSACTION_NOT_FOUND"],
    })
    .input(PostTransaction)
    .output(SandboxTransaction)
    .use(inOrganization("owner"))
    .mutation(({ ctx, input }) => postTransaction(ctx, input)),

  changeTransaction: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/sandbox/banking/change-transaction" },
      summary: "Changes what the bank has of a transaction. An absent field stays as it is.",
      errors: [...refusals, "BANK_TRANSACTION_NOT_FOUND"],
    })
    .input(ChangeTransaction)
    .output(z.void())
    .use(inOrganization("owner"))
    .mutation(({ ctx, input }) => changeTransaction(ctx, input)),

  removeTransaction: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/sandbox/banking/remove-transaction" },
      summary: "Takes a transaction away from the bank.",
      errors: [...refusals, "BANK_TRANSACTION_NOT_FOUND"],
    })
    .input(RemoveTransaction)
    .output(z.void())
    .use(inOrganization("owner"))
    .mutation(({ ctx, input }) => removeTransaction(ctx, input)),

  revokeConsent: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/sandbox/banking/revoke-consent" },
      summary: "Revokes the newest consent at the bank, as its customer may at any time.",
      errors: refusals,
    })
    .input(ChangeConsent)
    .output(z.void())
    .use(inOrganization("owner"))
    .mutation(({ ctx, input }) => changeConsent(ctx, "revokeConsent", input)),

  expireConsent: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/sandbox/banking/expire-consent" },
      summary: "Lets the newest consent expire at the bank now.",
      errors: refusals,
    })
    .input(ChangeConsent)
    .output(z.void())
    .use(inOrganization("owner"))
    .mutation(({ ctx, input }) => changeConsent(ctx, "expireConsent", input)),

  requireReauthorization: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/sandbox/banking/require-reauthorization" },
      summary: "Lets the bank ask for the newest consent to be confirmed before it goes on.",
      errors: refusals,
    })
    .input(ChangeConsent)
    .output(z.void())
    .use(inOrganization("owner"))
    .mutation(({ ctx, input }) => changeConsent(ctx, "requireReauthorization", input)),

  repairConsent: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/sandbox/banking/repair-consent" },
      summary: "Confirms the newest consent at the bank, so that it goes on. One that has ended stays so.",
      errors: refusals,
    })
    .input(ChangeConsent)
    .output(z.void())
    .use(inOrganization("owner"))
    .mutation(({ ctx, input }) => changeConsent(ctx, "repairConsent", input)),

  setFault: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/sandbox/banking/set-fault" },
      summary: "Lets something go wrong at the bank, so many times or until it is cleared.",
      errors: refusals,
    })
    .input(SetFault)
    .output(z.void())
    .use(inOrganization("owner"))
    .mutation(({ ctx, input }) => setFault(ctx, input)),

  clearFaults: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/sandbox/banking/clear-faults" },
      summary: "Lets everything go well again at the bank.",
      errors: refusals,
    })
    .input(ClearFaults)
    .output(z.void())
    .use(inOrganization("owner"))
    .mutation(({ ctx, input }) => clearFaults(ctx, input)),
};
