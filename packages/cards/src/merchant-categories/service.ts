import { merchantCategories, merchantCategoryLabel, merchantGroupOf } from "@purser/core";
import { type BaseContext, requireItem, toPage } from "@purser/platform";
import type { z } from "zod";
import type { ListMerchantCategories } from "./contract.ts";

const catalog = merchantCategories.map((category) => ({
  ...category,
  // Pages continue after a code.
  id: category.code,
  label: merchantCategoryLabel(category.name),
  group: merchantGroupOf(category.code),
}));

/** Lists the merchant categories by code. By default all of them fit a page. */
export async function listMerchantCategories(
  ctx: BaseContext,
  { after, limit }: z.output<typeof ListMerchantCategories>,
) {
  await requireItem(after, async (code) => catalog.find((one) => one.code === code));
  const following = catalog.filter(({ code }) => after === undefined || code > after);
  return toPage(ctx, limit, following.slice(0, limit + 1));
}
