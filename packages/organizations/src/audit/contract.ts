import { Id, page } from "@purser/core";
import { z } from "zod";

export const AuditEntry = z
  .object({
    id: z.string(),
    at: z.date(),
    actor: z.object({ id: z.string(), name: z.string() }).nullable(),
    action: z.string(),
    subject: z.string(),
    details: z.record(z.string(), z.unknown()),
  })
  .meta({ id: "AuditEntry" });

export const ListAudit = z.strictObject({ id: Id, ...page("aud") });
