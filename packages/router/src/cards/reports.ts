import { CardSpendingItem, ReportSpending, reportSpending } from "@purser/cards/reports";
import { z } from "zod";
import { checkRange, fromReplica, inOrganization, userProcedure } from "../trpc.ts";

export const reports = {
  spending: userProcedure
    .meta({
      rest: { method: "GET", path: "/api/cards/reports/spending" },
      summary:
        "Reports what was spent with an organization's cards, by card, merchant, category or day. Members see the spending of the cards assigned to them.",
      access: "member",
      returns:
        "The cards, merchants or categories with transactions, those with the most spending first, each in each of its currencies; or every day in order, in each currency of the cards, with zeros where nothing was spent.",
      errors: ["ORGANIZATION_NOT_FOUND", "SUM_TOO_LARGE"],
    })
    .input(ReportSpending)
    .output(z.array(CardSpendingItem))
    .use(checkRange)
    .use(inOrganization("member"))
    .use(fromReplica)
    .query(({ ctx, input }) => reportSpending(ctx, input)),
};
