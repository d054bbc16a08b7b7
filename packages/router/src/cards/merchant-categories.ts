import {
  ListMerchantCategories,
  MerchantCategory,
  listMerchantCategories,
} from "@purser/cards/merchant-categories";
import { z } from "zod";
import { publicProcedure } from "../trpc.ts";

export const merchantCategories = {
  list: publicProcedure
    .meta({
      // The catalog changes with a version of the service only.
      rest: { method: "GET", path: "/api/cards/merchant-categories", cacheSeconds: 86_400 },
      summary:
        "Lists the categories of merchants that card policies can allow or block: code, name and kind of business.",
      access: "public",
      returns: "The categories, by code. All of them fit a page.",
    })
    .input(ListMerchantCategories.prefault({}))
    .output(z.array(MerchantCategory))
    .query(({ ctx, input }) => listMerchantCategories(ctx, input)),
};
