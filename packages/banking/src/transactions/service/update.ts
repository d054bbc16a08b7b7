import { Problem } from "@purser/core";
import { audit, transact } from "@purser/platform";
import type { z } from "zod";
import type { BankingContext } from "../../context.ts";
import type { UpdateTransaction } from "../contract.ts";
import { lockPersonalValues, setPersonalValues } from "../store/personal.ts";
import { readTransaction } from "./read.ts";

/** Sets what a person may set. The bank's category stays beside it, and the bank keeps changing that. */
export function updateBankTransaction(ctx: BankingContext, input: z.output<typeof UpdateTransaction>) {
  const { teamId: organizationId, transactionId: id } = input;
  return transact(ctx, input, async (transaction) => {
    const before = await lockPersonalValues(transaction, organizationId, id);
    if (before === undefined) throw new Problem("BANK_TRANSACTION_NOT_FOUND");
    if (ctx.membership.role !== "OWNER") throw new Problem("FORBIDDEN");
    const { category: ownCategory = before.ownCategory, note = before.note } = input;
    if (ownCategory !== before.ownCategory || note !== before.note)
      await setPersonalValues(transaction, { organizationId, id }, { ownCategory, note }, ctx.clock.now());
    const from = { category: before.ownCategory ?? before.bankCategory, note: before.note };
    const to = { category: ownCategory ?? before.bankCategory, note };
    // A category that equals the bank's is kept, but nobody sees a change.
    if (from.category !== to.category || from.note !== to.note)
      await audit(ctx, transaction, { organizationId, subject: id, details: { from, to } });
    return readTransaction(ctx, transaction, organizationId, id);
  });
}
