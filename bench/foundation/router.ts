import { createCallerFactory, organizations, publicProcedure, router } from "@purser/router";
import { Input, Output, sample } from "./contract.ts";

/** The measured read from the database, and a similar one without it. */
export const benchRouter = router({
  organizations: { get: organizations.get },
  bench: {
    sample: publicProcedure
      .meta({
        rest: { method: "GET", path: "/api/bench/:id" },
        summary: "Answers without a database.",
        access: "public",
        public: true,
      })
      .input(Input)
      .output(Output)
      .query(({ input }) => ({ ...sample, id: input.id })),
  },
});

export const createBenchCaller = createCallerFactory(benchRouter);
