import { Amount, Id, Instant, bankTransactionTypes, sandboxBankFaultKinds, text } from "@purser/core";
import { z } from "zod";

const Target = z.strictObject({ teamId: Id, connectionId: Id });

/** Whether the bank sends a webhook, as real banks do. */
const notify = z.boolean().default(true);

/** In minor units, up to ten billion of the largest currencies' major units. */
const SandboxAmount = Amount.min(1).max(1_000_000_000_000);
const Description = text(200).trim().min(1);
const Category = text(100).trim().min(1).nullable();

/** The bank's id of the transaction, or our id of a listed one. */
const bankTransactionId = Id;

export const SandboxTransaction = z
  .object({ bankTransactionId: z.string() })
  .meta({ id: "SandboxTransaction" });

export const AddTransaction = Target.extend({
  accountId: Id,
  amount: SandboxAmount,
  type: z.enum(bankTransactionTypes),
  description: Description.default("SANDBOX TRANSACTION"),
  category: Category.default(null),
  date: Instant.optional(),
  pending: z.boolean().default(false),
  notify,
});

export const PostTransaction = Target.extend({
  bankTransactionId,
  amount: SandboxAmount.optional(),
  date: Instant.optional(),
  notify,
});

export const ChangeTransaction = Target.extend({
  bankTransactionId,
  description: Description.optional(),
  category: Category.optional(),
  date: Instant.optional(),
  amount: SandboxAmount.optional(),
  notify,
});

export const RemoveTransaction = Target.extend({ bankTransactionId, notify });

export const ChangeConsent = Target.extend({ notify });

const Fault = z.enum(sandboxBankFaultKinds).meta({ id: "SandboxBankFault" });

export const SetFault = Target.extend({
  fault: Fault,
  /** How often the fault happens. If absent, it happens until it is cleared. */
  times: z.int().min(1).max(1000).optional(),
  retryAfterSeconds: z.int().min(1).max(3600).optional(),
  milliseconds: z.int().min(1).max(10_000).optional(),
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
