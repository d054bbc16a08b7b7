import { Id, actorFields, exampleIds, explained, openText, page, sharedFields } from "@purser/core";
import { z } from "zod";

/** Procedures that the audit trail records. A test of the router compares them with what it records. */
const procedures = [
  "banking.accounts.merge",
  "banking.connections.connect",
  "banking.connections.disconnect",
  "banking.connections.reconfirm",
  "banking.connections.updateConsent",
  "banking.quarantine.resolve",
  "banking.transactions.update",
  "billing.cancel",
  "billing.checkout",
  "billing.resume",
  "billing.sync",
  "cards.cardholder.update",
  "cards.create",
  "cards.policies.create",
  "cards.policies.update",
  "cards.reveal",
  "cards.update",
  "cards.updateStatus",
  "keys.create",
  "keys.revoke",
  "organizations.create",
  "organizations.delete",
  "organizations.invitations.accept",
  "organizations.invitations.create",
  "organizations.invitations.revoke",
  "organizations.members.remove",
  "organizations.members.updateRole",
  "organizations.settings.update",
  "organizations.update",
  "sandbox.banking.addTransaction",
  "sandbox.banking.changeTransaction",
  "sandbox.banking.clearFaults",
  "sandbox.banking.expireConsent",
  "sandbox.banking.postTransaction",
  "sandbox.banking.removeTransaction",
  "sandbox.banking.repairConsent",
  "sandbox.banking.requireReauthorization",
  "sandbox.banking.revokeConsent",
  "sandbox.banking.setFault",
  "sandbox.billing.advance",
  "sandbox.billing.replaceCard",
  "sandbox.cards.authorize",
  "sandbox.cards.clear",
  "sandbox.cards.expire",
  "sandbox.cards.increment",
  "sandbox.cards.refund",
  "sandbox.cards.reverse",
  "webhookEndpoints.create",
  "webhookEndpoints.delete",
  "webhookEndpoints.deliveries.redeliver",
  "webhookEndpoints.rotateSecret",
  "webhookEndpoints.test",
  "webhookEndpoints.update",
] as const;

/** What jobs, providers, card issuers and operators do. */
const others = [
  "banking.finishedLinks",
  "banking.sync",
  "billing.reconcile",
  "billing.synchronize",
  "cards.closedByIssuer",
  "cards.renewedByIssuer",
  "cards.reveal.opened",
  "organizations.transfer",
  "users.delete",
  "webhookEndpoints.disable",
] as const;

const AuditAction = openText([...procedures, ...others]).meta({
  id: "AuditAction",
  ...explained(
    "What was done: the name of the procedure, or of the background job. More may be added.",
    "cards.updateStatus",
  ),
});

export const AuditEntry = z
  .object({
    id: z.string().meta(explained("The entry's id.", exampleIds.aud)),
    at: z.date().meta(explained("When it happened.", new Date("2026-03-02T09:15:00.000Z"))),
    actor: z
      .object(actorFields)
      .nullable()
      .meta(explained("Who did it. Null for what a background job or an operator of the service did.")),
    action: AuditAction,
    subject: z.string().meta(explained("The id of what it was done to.", exampleIds.card)),
    details: z.record(z.string(), z.unknown()).meta(
      explained("More about it, such as the values before and after. The keys depend on the action.", {
        from: "ACTIVE",
        to: "FROZEN",
        reason: "Lost on a train",
      }),
    ),
  })
  .meta({ id: "AuditEntry", description: "One change in an organization: who did what, and when." });

export const ListAudit = z.strictObject({ id: Id.meta(sharedFields.organizationId), ...page("aud") });
