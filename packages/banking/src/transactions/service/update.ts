import { isDeepStrictEqual } from "node:util";
import { Problem, utcDay } from "@purser/core";
import { lockForOwner } from "@purser/organizations";
import { actorOf, audit, transactInOrganization } from "@purser/platform";
import type { z } from "zod";
import type { BankingContext } from "../../context.ts";
import { recordAccountEvents } from "../../feed-events/service.ts";
import type { UpdateTransaction } from "../contract.ts";
import { lockPersonalValues, setPersonalValues } from "../store/personal.ts";
import { readTransaction } from "./read.ts";

/** Sets the category and the note of a person. The bank's category stays in its own column, which syncs still update. */
export function updateBankTransaction(ctx: BankingContext, input: z.output<typeof UpdateTransaction>) {
  const { teamId: organizationId, transactionId: id } = input;
  return transactInOrganization(ctx, organizationId, input, async (transaction) => {
    await lockForOwner(ctx, transaction, organizationId);
    const before = await lockPersonalValues(transaction, organizationId, id);
    if (before === undefined) throw new Problem("BANK_TRANSACTION_NOT_FOUND");
    const { category: ownCategory = before.ownCategory, note = before.note } = input;
    if (ownCategory !== before.ownCategory || note !== before.note)
      await setPersonalValues(transaction, { organizationId, id }, { ownCategory, note }, ctx.clock.now());
    const from = { category: before.ownCategory ?? before.bankCategory, note: before.note };
    const to = { category: ownCategory ?? before.bankCategory, note };
    const updated = await readTransaction(ctx, transaction, organizationId, id);
    // A category that equals the bank's is stored, but readers see no change.
    if (isDeepStrictEqual(from, to)) return updated;
    audit(ctx, transaction, { organizationId, subject: id, details: { from, to } });
    const day = utcDay(updated.transactionDate);
    const change = { added: 0, modified: 1, removed: 0, firstDay: day, lastDay: day };
    const changes = new Map([[updated.accountId, change]]);
    await recordAccountEvents(ctx, transaction, actorOf(ctx), { organizationId, changes });
    return updated;
  });
}
