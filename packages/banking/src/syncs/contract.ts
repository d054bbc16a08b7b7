import {
  Id,
  bankSyncStatuses,
  bankSyncTriggers,
  exampleIds,
  explained,
  explainedValues,
  openText,
  page,
  sharedFields,
} from "@purser/core";
import { z } from "zod";
import { BankSyncErrorCode, teamId } from "../contract.ts";

export const BankSync = z
  .object({
    id: z.string().meta(explained("The sync's id.", exampleIds.bsy)),
    connectionId: z.string().meta(sharedFields.connectionId),
    trigger: openText(bankSyncTriggers).meta(
      explainedValues(bankSyncTriggers, "What started the sync. More triggers may be added.", {
        CONNECT: "the team connected the bank, or reconnected it.",
        MANUAL: "a member called `banking.connections.sync`.",
        SCHEDULE: "the schedule.",
        WEBHOOK: "the provider reported new data.",
      }),
    ),
    status: z.enum(bankSyncStatuses).meta({
      ...explainedValues(bankSyncStatuses, "How far the sync is.", {
        QUEUED: "it waits to be run.",
        RUNNING: "it reads the bank.",
        SUCCEEDED: "accounts and transactions are as the bank has them.",
        FAILED: "it changed nothing. `errorCode` says why.",
      }),
      examples: ["SUCCEEDED"],
    }),
    startedAt: z
      .date()
      .meta(
        explained(
          "When the sync started or, while it is QUEUED, when it was requested.",
          new Date("2026-03-02T09:19:42.000Z"),
        ),
      ),
    finishedAt: z
      .date()
      .nullable()
      .meta(explained("When the sync ended. Null until then.", new Date("2026-03-02T09:20:00.000Z"))),
    added: z.int().meta(explained("The number of transactions that are new.", 12)),
    modified: z.int().meta(explained("The number of transactions that changed.", 1)),
    removed: z.int().meta(explained("The number of transactions that the bank no longer has.", 0)),
    errorCode: BankSyncErrorCode.nullable().meta(
      explained(
        "Why the sync failed: an error code of the API, such as `PROVIDER_ERROR`, `CONSENT_EXPIRED` or `REAUTHORIZATION_REQUIRED`, or `INTERRUPTED` if the process ended. Null unless it failed.",
        null,
      ),
    ),
  })
  .meta({ id: "BankSync", description: "One synchronization of a connection with its bank." });

export const ListSyncs = z.strictObject({
  teamId,
  connectionId: Id.meta({
    ...sharedFields.connectionId,
    description: "Only syncs of this bank connection. If absent, of all.",
  }).optional(),
  ...page("bsy"),
});
