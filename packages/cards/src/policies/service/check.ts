import { Problem } from "@purser/core";
import type { z } from "zod";
import { decidePurchase, spendingOf } from "../../authorizations/rules/decide.ts";
import { windowsAt } from "../../authorizations/rules/windows.ts";
import { type DecisionContext, findDecisionContext } from "../../authorizations/store/decision-context.ts";
import type { CardsContext } from "../../context.ts";
import { visibleCard } from "../../service/access.ts";
import type { CheckPolicy } from "../contract.ts";
import { passingTerms } from "../rules/passing-terms.ts";
import { termsOf } from "../rules/terms.ts";

type Input = z.output<typeof CheckPolicy>;

/** The ISO 4217 code for no currency. */
const noCurrency = "XXX";

/**
 * Decides on a purchase without making it. With a card, the decision is the engine's: in the card's currency and on what
 * was spent so far. With a draft alone, nothing was spent and no merchant is international.
 */
export async function checkCardPolicy(ctx: CardsContext, input: Input) {
  const { policy: draft, at = ctx.clock.now(), amount, channel } = input;
  const mayBePartial = (input.acceptsPartialApproval ?? false) && ctx.organization.partialApprovals;
  const { name, id = null, category = null, country = null } = input.merchant;
  const found = await cardOfInput(ctx, input, at);
  const { timeZone } = found ?? ctx.organization;
  const card = found?.card ?? null;
  const currency = card?.currency ?? noCurrency;
  const purchase = {
    amount,
    mayBePartial,
    currency,
    merchant: { name, id, category, country },
    channel,
    at,
  };
  // The contract requires a card or a draft.
  const policy = draft === undefined ? found!.policy : termsOf(draft);
  const counters = found?.counters ?? null;
  const spending = spendingOf({ counters, windows: windowsAt(at, timeZone), at, timeZone });
  const decision = decidePurchase(purchase, card, policy, spending);
  const isApproved = decision.outcome === "approved";
  return { ...decision, passesWith: isApproved ? null : passingTerms(purchase, card, policy, spending) };
}

/** The card of the input, or null. Owners may check any card or none, members their own. */
async function cardOfInput(
  ctx: CardsContext,
  { organizationId, cardId }: Input,
  at: Date,
): Promise<DecisionContext | null> {
  if (cardId === undefined) {
    if (ctx.membership.role !== "OWNER") throw new Problem("FORBIDDEN");
    return null;
  }
  const { issuer, issuerReference } = await visibleCard(ctx, ctx.db, { organizationId, cardId });
  const found = await findDecisionContext(ctx.db, {
    organizationId,
    issuer,
    reference: issuerReference,
    at,
    // A draft may have limits that the card's policy has not.
    everyWindow: true,
  });
  if (found === undefined) throw new Problem("CARD_NOT_FOUND");
  return found;
}
