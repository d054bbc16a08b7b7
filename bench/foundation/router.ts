import { createCallerFactory, organizations, publicProcedure, router } from "@purser/router";
import { z } from "zod";
import { Input, Output, Transactions, sample, transactions } from "./contract.ts";

/** The measured read from the database, and similar ones without it. */
export const benchRouter = router({
  organizations: { get: organizations.get },
  bench: {
    sample: publicProcedure
      .meta({
        rest: { method: "GET", path: "/api/bench/:id" },
        summary: "Answers without a database.",
        access: "public",
      })
      .input(Input)
      .output(Output)
      .query(({ input }) => ({ ...sample, id: input.id })),
    transactions: publicProcedure
      .meta({
        rest: { method: "GET", path: "/api/bench/transactions" },
        summary: "Answers with a page, without a database.",
        access: "public",
      })
      .input(z.strictObject({}).prefault({}))
      .output(Transactions)
      .query(() => transactions),
  },
});

export const createBenchCaller = createCallerFactory(benchRouter);
