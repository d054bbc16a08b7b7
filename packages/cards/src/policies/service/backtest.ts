import { Problem } from "@purser/core";
import { requireClient } from "@purser/platform";
import type { z } from "zod";
import type { DecidedPolicy } from "../../authorizations/rules/decide.ts";
import type { CardsContext } from "../../context.ts";
import { visibleCard } from "../../service/access.ts";
import { policyExists } from "../../store.ts";
import { listTransactionsById } from "../../transactions/store.ts";
import type { BacktestPolicy } from "../backtest-contract.ts";
import { createReplay } from "../rules/replay.ts";
import { termsOf } from "../rules/terms.ts";
import { findPolicy } from "../store/policies.ts";
import { type PageReader, readPastPurchases } from "../store/purchase-history.ts";

type Input = z.output<typeof BacktestPolicy>;

/**
 * Replays past purchases under a policy. Only purchases in the range count against its limits, so a window that started
 * before the range starts empty.
 */
export async function backtestCardPolicy(ctx: CardsContext, input: Input) {
  const { organizationId, cardId, cardsOfPolicyId, from, to = ctx.clock.now() } = input;
  const replay = createReplay(await policyOfInput(ctx, input), ctx.organization);
  if (cardId !== undefined) await visibleCard(ctx, ctx.db, { organizationId, cardId });
  if (cardsOfPolicyId !== undefined && !(await policyExists(ctx.db, organizationId, cardsOfPolicyId)))
    throw new Problem("CARD_POLICY_NOT_FOUND");
  const read: PageReader = async (page) => {
    // A million purchases take seconds. Nobody reads the outcome once the client has left.
    requireClient(ctx);
    return ctx.replica === null ? page(ctx.db) : ctx.replica.read(page);
  };
  for await (const page of readPastPurchases(read, { organizationId, cardId, cardsOfPolicyId, from, to })) {
    for (const purchase of page) replay.take(purchase);
  }
  const { newestDeclined, ...outcome } = replay.outcome();
  const samples = await listTransactionsById(ctx.db, organizationId, newestDeclined);
  return { ...outcome, approved: outcome.evaluated - outcome.declined, samples };
}

async function policyOfInput(
  ctx: CardsContext,
  { organizationId, policyId, policy: draft }: Input,
): Promise<DecidedPolicy> {
  if (draft !== undefined) return termsOf(draft);
  // The contract requires exactly one of them.
  const policy = await findPolicy(ctx.db, { organizationId, id: policyId! });
  if (policy === undefined) throw new Problem("CARD_POLICY_NOT_FOUND");
  return policy;
}
