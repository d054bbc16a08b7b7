import { Problem } from "@purser/core";
import type { z } from "zod";
import type { CardsContext } from "../context.ts";
import { type Decision, decidePurchase, expiryOf, spendingOf } from "../authorizations/rules/decide.ts";
import { windowsAt } from "../authorizations/rules/windows.ts";
import { type DecisionContext, findDecisionContext } from "../authorizations/store/decision-context.ts";
import { visibleCard } from "../service/read.ts";
import type { CheckPolicy } from "./contract.ts";
import { termsOf } from "./rules/terms.ts";

type Input = z.output<typeof CheckPolicy>;

/** ISO 4217 for where there is no currency. */
const noCurrency = "XXX";

/**
 * Decides on a purchase without making it, as the engine would: on a card, on what was spent with it so far. The
 * purchase is in the card's currency. A draft alone is about no card: it is as if nothing was spent, and nothing is
 * international.
 */
export async function checkPolicy(ctx: CardsContext, input: Input): Promise<Decision> {
  const { policy: draft, at = ctx.clock.now(), amount, channel } = input;
  const { name, id = null, category = null, country = null } = input.merchant;
  const found = await cardMeant(ctx, input, at);
  const { timeZone } = found ?? ctx.organization;
  const card = found && { ...found.card, expiresAt: expiryOf(found.card, timeZone) };
  const currency = card?.currency ?? noCurrency;
  return decidePurchase(
    { amount, currency, merchant: { name, id, category, country }, channel, at },
    card,
    // The contract asks for one of them at least.
    draft === undefined ? found!.policy : termsOf(draft),
    spendingOf({ counters: found?.counters ?? null, windows: windowsAt(at, timeZone), at, timeZone }),
  );
}

/** The card that is meant, if any: an owner may ask about any or none, a member about their own. */
async function cardMeant(
  ctx: CardsContext,
  { organizationId, cardId }: Input,
  at: Date,
): Promise<DecisionContext | null> {
  if (cardId === undefined) {
    if (ctx.membership.role !== "OWNER") throw new Problem("FORBIDDEN");
    return null;
  }
  const { issuer, issuerReference } = await visibleCard(ctx, ctx.db, { organizationId, cardId });
  const found = await findDecisionContext(ctx.db, { issuer, reference: issuerReference! }, at);
  if (found === undefined) throw new Problem("CARD_NOT_FOUND");
  return found;
}
