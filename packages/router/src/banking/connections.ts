import {
  BankConnection,
  BankConnectionHealth,
  Connect,
  DisconnectedBankConnection,
  ListConnectionHealth,
  ListConnections,
  ReconfirmedConsent,
  SyncedBankConnection,
  TheConnection,
  UpdateConsent,
  UpdatedConsent,
  connectBank,
  disconnectBank,
  listConnectionHealth,
  listConnections,
  reconfirmConsent,
  syncConnection,
  updateConsent,
} from "@purser/banking/connections";
import { z } from "zod";
import { naming, theConnection } from "../resource.ts";
import { inOrganization, userProcedure } from "../trpc.ts";

export const connections = {
  list: userProcedure
    .meta({
      rest: { method: "GET", path: "/api/banking/connections" },
      summary: "Lists the bank connections of a team with their consents, newest first.",
      access: "member",
      returns: "A page of the bank connections, newest first, each with its consents.",
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
        "Connects a team to a bank with a consent. Returns once the accounts are stored; transactions follow in the background.",
      access: "owner",
      returns:
        "The connection, ACTIVE and with its consent in force. A repeated connect returns the same connection.",
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
    .mutation(({ ctx, input }) => connectBank(ctx, input)),

  disconnect: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/banking/disconnect" },
      summary:
        "Disconnects a bank connection: revokes its consents, also at the provider, and erases its tokens. Accounts and transactions stay.",
      access: "owner",
      returns: "The connection, DISCONNECTED and with its consents revoked.",
      errors: ["ORGANIZATION_NOT_FOUND", "FORBIDDEN", "CONNECTION_NOT_FOUND"],
    })
    .input(TheConnection)
    .output(DisconnectedBankConnection)
    .use(inOrganization("owner", naming(theConnection)))
    .mutation(({ ctx, input }) => disconnectBank(ctx, input)),

  updateConsent: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/banking/consent" },
      summary:
        "Sets scopes and expiry of a connection's newest consent, within the limits of the bank's grant. Reconnects a disconnected connection if the provider supports it.",
      access: "owner",
      returns: "The consent after the change.",
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
    .use(inOrganization("owner", naming(theConnection)))
    .mutation(({ ctx, input }) => updateConsent(ctx, input)),

  health: userProcedure
    .meta({
      rest: { method: "GET", path: "/api/banking/connections/health" },
      summary:
        "Returns the health of each bank connection of a team: its status, the reason for a failure, what to do about it, and the next deadline.",
      access: "member",
      returns: "A page of the health of the connections, newest connection first.",
      errors: ["ORGANIZATION_NOT_FOUND"],
    })
    .input(ListConnectionHealth)
    .output(z.array(BankConnectionHealth))
    .use(inOrganization("member"))
    .query(({ ctx, input }) => listConnectionHealth(ctx, input)),

  reconfirm: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/banking/reconfirm" },
      summary:
        "Confirms the consent of a connection without a visit to the bank, if the provider supports it.",
      access: "owner",
      returns: "The consent, and by when it has to be confirmed the next time.",
      errors: [
        "ORGANIZATION_NOT_FOUND",
        "FORBIDDEN",
        "CONNECTION_NOT_FOUND",
        "CONNECTION_DISCONNECTED",
        "CONSENT_EXPIRED",
        "REAUTHORIZATION_REQUIRED",
        "PROVIDER_NOT_CONFIGURED",
        "NOT_SUPPORTED_BY_PROVIDER",
        "PROVIDER_ERROR",
      ],
    })
    .input(TheConnection)
    .output(ReconfirmedConsent)
    .use(inOrganization("owner", naming(theConnection)))
    .mutation(({ ctx, input }) => reconfirmConsent(ctx, input)),

  sync: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/banking/sync" },
      summary:
        "Syncs accounts and transactions with the bank. Waits up to 25 seconds for the result; `updatedAt` is the end of the last successful sync.",
      access: "member",
      returns: "The connection with the end of its last successful sync.",
      errors: [
        "ORGANIZATION_NOT_FOUND",
        "FORBIDDEN",
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
    .use(inOrganization("member", naming(theConnection)))
    .mutation(({ ctx, input }) => syncConnection(ctx, input)),
};
