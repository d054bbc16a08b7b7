import { Problem, validationFailed } from "@purser/core";
import type { z } from "zod";
import { askPayments, findSubscription, synchronise } from "../../billing/index.ts";
import { audit } from "../../platform/audit.ts";
import { transactAfter } from "../../platform/transact.ts";
import type { BillingContext } from "../../billing/context.ts";
import type { Advance, ReplaceCard } from "./contract.ts";

/** Loaded on first use, like the provider itself. */
const loadControls = () => import("../../billing/providers/local/local.ts");
type Controls = Awaited<ReturnType<typeof loadControls>>;

const misplaced = {
  too_early: "Must not be before the subscription's present time",
  too_late: "Must be within five years",
};

export function advance(ctx: BillingContext, input: z.output<typeof Advance>) {
  return control(ctx, input, async (controls) => {
    const result = await controls.advanceSubscription(ctx, input.subscriptionId, input.to);
    if (result === null) throw new Problem("SUBSCRIPTION_NOT_FOUND");
    if (result === "advanced") return;
    throw validationFailed([{ path: ["to"], code: "custom", message: misplaced[result] }]);
  });
}

export function replaceCard(ctx: BillingContext, input: z.output<typeof ReplaceCard>) {
  return control(ctx, input, (controls) => controls.replaceCard(ctx, input.subscriptionId, input.card));
}

/**
 * Does something at the built-in provider, reads from it what has come of it as after any webhook, and puts on record
 * that it was done by hand. To do it again changes nothing more, so it may be repeated after a crash.
 */
function control(
  ctx: BillingContext,
  input: { subscriptionId: string },
  act: (controls: Controls) => Promise<void>,
) {
  const { subscriptionId, ...details } = input;
  const organizationId = ctx.organization.id;
  return transactAfter(
    ctx,
    input,
    async () => {
      const { provider } = (await findSubscription(ctx.db, subscriptionId)) ?? missing();
      if (provider !== "local") throw new Problem("NOT_SUPPORTED_BY_PROVIDER");
      await askPayments(ctx, provider, async () => act(await loadControls()));
      await synchronise(ctx, provider, { subscriptionId, organizationId });
    },
    async (transaction) => {
      await audit(ctx, transaction, { organizationId, subject: subscriptionId, details });
      return (await findSubscription(transaction, subscriptionId)) ?? missing();
    },
  );
}

function missing(): never {
  throw new Problem("SUBSCRIPTION_NOT_FOUND");
}
