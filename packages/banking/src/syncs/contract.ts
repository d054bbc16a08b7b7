import { Id, bankSyncStatuses, bankSyncTriggers, page } from "@purser/core";
import { z } from "zod";

export const BankSync = z
  .object({
    id: z.string(),
    connectionId: z.string(),
    trigger: z.enum(bankSyncTriggers),
    status: z.enum(bankSyncStatuses),
    startedAt: z.date(),
    finishedAt: z.date().nullable(),
    added: z.int(),
    modified: z.int(),
    removed: z.int(),
    errorCode: z.string().nullable(),
  })
  .meta({ id: "BankSync" });

export const ListSyncs = z.strictObject({ teamId: Id, connectionId: Id.optional(), ...page("bsy") });
