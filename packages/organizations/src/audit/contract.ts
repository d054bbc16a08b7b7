import { Id, exampleIds, explained, page, sharedFields } from "@purser/core";
import { z } from "zod";

export const AuditEntry = z
  .object({
    id: z.string().meta(explained("The entry's id.", exampleIds.aud)),
    at: z.date().meta(explained("When it happened.", new Date("2026-03-02T09:15:00.000Z"))),
    actor: z
      .object({
        id: z.string().meta(explained("The id of the user, or of the organization's key.", exampleIds.user)),
        name: z.string().meta(explained("The name of the user or the key at that time.", "Demo Owner")),
      })
      .nullable()
      .meta(explained("Who did it. Null for what a background job or an operator of the service did.")),
    action: z
      .string()
      .meta(
        explained(
          "What was done: the name of the procedure, or of the background job.",
          "cards.updateStatus",
        ),
      ),
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
