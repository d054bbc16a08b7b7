import { BillingPlan, ListPlans, listPlans } from "@purser/billing/plans";
import { z } from "zod";
import { publicProcedure } from "../trpc.ts";

export const plans = {
  list: publicProcedure
    .meta({
      rest: { method: "GET", path: "/api/billing/plans" },
      summary: "Lists the plans that all payment providers have on sale.",
      access: "public",
      returns: "A page of the plans of all payment providers.",
    })
    .input(ListPlans.prefault({}))
    .output(z.array(BillingPlan))
    .query(({ ctx, input }) => listPlans(ctx, input)),
};
