import { type BaseContext, requireItem, toPage } from "@purser/platform";
import type { z } from "zod";
import type { BillingPlatform } from "../context.ts";
import type { Variant } from "../ports.ts";
import { readCatalogs } from "../service/catalogs.ts";
import type { ListPlans } from "./contract.ts";

/** Lists the plans on sale, by provider in the order of configuration. */
export async function listPlans(ctx: BaseContext & BillingPlatform, input: z.output<typeof ListPlans>) {
  const all = (await readCatalogs(ctx)).flatMap(({ plans }) => plans);
  const position = (id: string) => all.findIndex((plan) => plan.id === id);
  await requireItem(input.after, async (id) => (position(id) < 0 ? undefined : id));
  const start = input.after === undefined ? 0 : position(input.after) + 1;
  const page = toPage(ctx, input.limit, all.slice(start, start + input.limit + 1));
  return page.map((plan) => ({ ...plan, variants: plan.variants.map(toPlanVariant) }));
}

/** A variant as callers see it. */
export const toPlanVariant = ({ trial, setupFee, ...variant }: Variant) => ({
  ...variant,
  trial: trial ?? null,
  setupFee: setupFee ?? 0,
});
