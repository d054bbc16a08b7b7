import { Id, page } from "@purser/core";
import { z } from "zod";

export const BankSync = z
  .object({
    id: z.string(),
    connectionId: z.string(),
    trigger: z.enum(["CONNECT", "MANUAL", "SCHEDULE", "WEBHOOK"]),
    status: z.enum(["QUEUED", "RUNNING", "SUCCEEDED", "FAILED"]),
    startedAt: z.date(),
    finishedAt: z.date().nullable(),
    added: z.int(),
    modified: z.int(),
    removed: z.int(),
    errorCode: z.string().nullable(),
  })
  .meta({ id: "BankSync" });

export const ListSyncs = z.strictObject({ teamId: Id, connectionId: Id.optional(), ...page("bsy") });
