import {
  Amount,
  Id,
  Instant,
  explained,
  explainedValues,
  sandboxBankFaultKinds,
  sharedFields,
  text,
} from "@purser/core";
import { z } from "zod";
import { BankTransactionType } from "../../accounts/contract.ts";
import { teamId } from "../../contract.ts";

const Target = z.strictObject({
  teamId,
  connectionId: Id.meta({ ...sharedFields.connectionId, description: "A bank connection with the sandbox." }),
});

const notify = z
  .boolean()
  .default(true)
  .meta(
    explained(
      "Whether the bank sends a webhook, as real banks do. Without one, the next sync finds the change.",
      true,
    ),
  );

/** In minor units, up to ten billion of the largest currencies' major units. */
const SandboxAmount = Amount.min(1)
  .max(1_000_000_000_000)
  .meta(explained("In minor units of the account's currency, at least 1. `type` is the direction.", 4900));
const Description = text(200)
  .trim()
  .min(1)
  .meta(
    explained(
      "What the bank writes about the transaction, of 1 to 200 characters.",
      "CLOUDSTACK HOSTING 4821",
    ),
  );
const Category = text(100)
  .trim()
  .min(1)
  .nullable()
  .meta(explained("The bank's category of the transaction. Null for none.", "SOFTWARE"));
const date = Instant.meta(
  explained(
    "The bank's day of the transaction. Its time of day in UTC is ignored. By default today.",
    new Date("2026-03-02T00:00:00.000Z"),
  ),
).optional();

const exampleTransaction = "txn-5b1c0f7a9e3d4826a1f0c2d4e6b8a790";

const bankTransactionId = Id.meta(
  explained("The bank's id of the transaction, or the `btx_` id of a listed one.", exampleTransaction),
);

export const SandboxTransaction = z
  .object({
    bankTransactionId: z.string().meta(explained("The bank's id of the transaction.", exampleTransaction)),
  })
  .meta({ id: "SandboxTransaction", description: "A transaction at a bank of the sandbox." });

export const AddTransaction = Target.extend({
  accountId: Id.meta({ ...sharedFields.accountId, description: "An account of the connection." }),
  amount: SandboxAmount,
  type: BankTransactionType,
  description: Description.default("SANDBOX TRANSACTION"),
  category: Category.default(null),
  date,
  pending: z
    .boolean()
    .default(false)
    .meta(explained("Whether the transaction is pending: not posted yet, and not listed.", false)),
  notify,
});

export const PostTransaction = Target.extend({
  bankTransactionId,
  amount: SandboxAmount.meta({
    description: "The posted amount, in minor units of the account's currency. By default the pending one.",
  }).optional(),
  date,
  notify,
});

export const ChangeTransaction = Target.extend({
  bankTransactionId,
  description: Description.optional(),
  category: Category.optional(),
  date: date.meta({ description: "The bank's day of the transaction. If absent, it does not change." }),
  amount: SandboxAmount.optional(),
  notify,
});

export const RemoveTransaction = Target.extend({ bankTransactionId, notify });

export const ChangeConsent = Target.extend({ notify });

const Fault = z.enum(sandboxBankFaultKinds).meta({
  id: "SandboxBankFault",
  ...explainedValues(sandboxBankFaultKinds, "What goes wrong at the bank.", {
    outage: "no call is answered.",
    rate_limited: "every call is refused because there were too many.",
    slow: "every call takes longer.",
    accounts_outage: "accounts cannot be read, but transactions can.",
    not_ready: "the history is not ready yet.",
    cursor_lost: "the place in the change feed is no longer valid.",
    mutation_during_pagination: "the data changes between two pages.",
    blank_ids: "transactions have no ids.",
    repeated_ids: "a page has the same transaction twice.",
    reused_ids: "a transaction has the id of another.",
  }),
});

export const SetFault = Target.extend({
  fault: Fault,
  times: z
    .int()
    .min(1)
    .max(1000)
    .meta(explained("How often the fault happens, from 1 to 1000. If absent, until it is cleared.", 1))
    .optional(),
  retryAfterSeconds: z
    .int()
    .min(1)
    .max(3600)
    .meta(explained("How many seconds the bank asks to wait, from 1 to 3600. Only with `rate_limited`.", 60))
    .optional(),
  milliseconds: z
    .int()
    .min(1)
    .max(10_000)
    .meta(explained("How many milliseconds each call takes longer, from 1 to 10000. Only with `slow`.", 2000))
    .optional(),
})
  .refine(({ fault, retryAfterSeconds }) => retryAfterSeconds === undefined || fault === "rate_limited", {
    path: ["retryAfterSeconds"],
    error: "Must be absent unless fault is rate_limited",
  })
  .refine(({ fault, milliseconds }) => milliseconds === undefined || fault === "slow", {
    path: ["milliseconds"],
    error: "Must be absent unless fault is slow",
  });

export const ClearFaults = Target;
