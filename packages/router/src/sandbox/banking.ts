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
import { naming, theAccount, theConnection } from "../resource.ts";
import { inOrganization, userProcedure } from "../trpc.ts";

/** The errors of every control: only owners may use them, and only on connections to the sandbox. */
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
      summary: "Adds a posted or pending transaction at the bank. Returns the bank's id of the transaction.",
      access: "owner",
      returns: "The bank's id of the new transaction.",
      errors: [...refusals, "BANK_ACCOUNT_NOT_FOUND"],
    })
    .input(AddTransaction)
    .output(SandboxTransaction)
    .use(inOrganization("owner", naming(theConnection, theAccount)))
    .mutation(({ ctx, input }) => addTransaction(ctx, input)),

  postTransaction: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/sandbox/banking/post-transaction" },
      summary: "Posts a pending transaction under a new id. Returns the new id.",
      access: "owner",
      returns: "The bank's new id of the transaction.",
      errors: [...refusals, "BANK_TRANSACTION_NOT_FOUND"],
    })
    .input(PostTransaction)
    .output(SandboxTransaction)
    .use(inOrganization("owner", naming(theConnection)))
    .mutation(({ ctx, input }) => postTransaction(ctx, input)),

  changeTransaction: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/sandbox/banking/change-transaction" },
      summary: "Changes a transaction at the bank. Absent fields stay unchanged.",
      access: "owner",
      errors: [...refusals, "BANK_TRANSACTION_NOT_FOUND"],
    })
    .input(ChangeTransaction)
    .output(z.void())
    .use(inOrganization("owner", naming(theConnection)))
    .mutation(({ ctx, input }) => changeTransaction(ctx, input)),

  removeTransaction: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/sandbox/banking/remove-transaction" },
      summary: "Removes a transaction at the bank.",
      access: "owner",
      errors: [...refusals, "BANK_TRANSACTION_NOT_FOUND"],
    })
    .input(RemoveTransaction)
    .output(z.void())
    .use(inOrganization("owner", naming(theConnection)))
    .mutation(({ ctx, input }) => removeTransaction(ctx, input)),

  revokeConsent: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/sandbox/banking/revoke-consent" },
      summary: "Revokes the newest consent at the bank, as the customer can at any time.",
      access: "owner",
      errors: refusals,
    })
    .input(ChangeConsent)
    .output(z.void())
    .use(inOrganization("owner", naming(theConnection)))
    .mutation(({ ctx, input }) => changeConsent(ctx, "revokeConsent", input)),

  expireConsent: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/sandbox/banking/expire-consent" },
      summary: "Expires the newest consent at the bank immediately.",
      access: "owner",
      errors: refusals,
    })
    .input(ChangeConsent)
    .output(z.void())
    .use(inOrganization("owner", naming(theConnection)))
    .mutation(({ ctx, input }) => changeConsent(ctx, "expireConsent", input)),

  requireReauthorization: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/sandbox/banking/require-reauthorization" },
      summary: "Makes the bank require a confirmation of the newest consent.",
      access: "owner",
      errors: refusals,
    })
    .input(ChangeConsent)
    .output(z.void())
    .use(inOrganization("owner", naming(theConnection)))
    .mutation(({ ctx, input }) => changeConsent(ctx, "requireReauthorization", input)),

  repairConsent: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/sandbox/banking/repair-consent" },
      summary: "Confirms the newest consent at the bank. A revoked or expired consent stays ended.",
      access: "owner",
      errors: refusals,
    })
    .input(ChangeConsent)
    .output(z.void())
    .use(inOrganization("owner", naming(theConnection)))
    .mutation(({ ctx, input }) => changeConsent(ctx, "repairConsent", input)),

  setFault: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/sandbox/banking/set-fault" },
      summary: "Sets a fault at the bank, for a number of times or until it is cleared.",
      access: "owner",
      errors: refusals,
    })
    .input(SetFault)
    .output(z.void())
    .use(inOrganization("owner", naming(theConnection)))
    .mutation(({ ctx, input }) => setFault(ctx, input)),

  clearFaults: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/sandbox/banking/clear-faults" },
      summary: "Clears all faults at the bank.",
      access: "owner",
      errors: refusals,
    })
    .input(ClearFaults)
    .output(z.void())
    .use(inOrganization("owner", naming(theConnection)))
    .mutation(({ ctx, input }) => clearFaults(ctx, input)),
};
