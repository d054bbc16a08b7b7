import {
  BankConnection,
  Connect,
  DisconnectedBankConnection,
  ListConnections,
  SyncedBankConnection,
  TheConnection,
  UpdateConsent,
  UpdatedConsent,
  connect,
  disconnect,
  listConnections,
  syncNow,
  updateConsent,
} from "@purser/banking/connections";
import { z } from "zod";
import { inOrganization, userProcedure } from "../trpc.ts";

export const connections = {
  list: userProcedure
    .meta({
      rest: { method: "GET", path: "/api/banking/connections" },
      summary: "Lists the bank connections of a team with their consents, newest first.",
      errors: ["ORGANIZATION_NOT_FOUND"],
    })
    .input(ListConnections)
    .output(z.array(BankConnection))
    .use(inOrganization("member"))
    .query(({ ctx, input }) => listConnections(ctx, input)),

  connect: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/banking/connect", status: 201 },
      summary:
        "Links a team to a bank by a consent that a person gave there. It answers when the accounts are stored; transactions follow in the background.",
      errors: [
        "ORGANIZATION_NOT_FOUND",
        "FORBIDDEN",
        "INSTITUTION_NOT_FOUND",
        "CONSENT_NOT_FOUND",
        "REAUTHORIZATION_REQUIRED",
        "PROVIDER_NOT_CONFIGURED",
        "PROVIDER_ERROR",
      ],
    })
    .input(Connect)
    .output(BankConnection)
    .use(inOrganization("owner"))
    .mutation(({ ctx, input }) => connect(ctx, input)),

  disconnect: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/banking/disconnect" },
      summary:
        "Ends a bank connection: its consents are revoked, also at the provider, and its tokens erased. What was read stays.",
      errors: ["ORGANIZATION_NOT_FOUND", "FORBIDDEN", "CONNECTION_NOT_FOUND"],
    })
    .input(TheConnection)
    .output(DisconnectedBankConnection)
    .use(inOrganization("owner"))
    .mutation(({ ctx, input }) => disconnect(ctx, input)),

  updateConsent: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/banking/consent" },
      summary:
        "Sets scopes and expiry of a connection's newest consent, within what the bank has granted. A disconnected connection is connected again where the provider can do so.",
      errors: [
        "ORGANIZATION_NOT_FOUND",
        "FORBIDDEN",
        "CONNECTION_NOT_FOUND",
        "REAUTHORIZATION_REQUIRED",
        "PROVIDER_NOT_CONFIGURED",
        "PROVIDER_ERROR",
      ],
    })
    .input(UpdateConsent)
    .output(UpdatedConsent)
    .use(inOrganization("owner"))
    .mutation(({ ctx, input }) => updateConsent(ctx, input)),

  sync: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/banking/sync" },
      summary:
        "Brings accounts and transactions to what the bank has now. It waits up to 25 seconds; updatedAt is the end of the last synchronisation that succeeded.",
      errors: [
        "ORGANIZATION_NOT_FOUND",
        "CONNECTION_NOT_FOUND",
        "CONNECTION_DISCONNECTED",
        "CONSENT_EXPIRED",
        "REAUTHORIZATION_REQUIRED",
        "PROVIDER_NOT_CONFIGURED",
        "PROVIDER_ERROR",
      ],
    })
    .input(TheConnection)
    .output(SyncedBankConnection)
    .use(inOrganization("member"))
    .mutation(({ ctx, input }) => syncNow(ctx, input)),
};
