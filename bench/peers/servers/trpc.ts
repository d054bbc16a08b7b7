import { trpcServer } from "@hono/trpc-server";
import { initTRPC } from "@trpc/server";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { Hono } from "hono";
import { type OpenApiMeta, createOpenApiFetchHandler } from "trpc-to-openapi";
import { z } from "zod";
import { Input, Output, Transactions, sample, transactions } from "../../foundation/contract.ts";
import { serveUntilStopped } from "../../serve-fetch.ts";

/** One router behind tRPC's adapters and behind trpc-to-openapi. POST is allowed for queries, as in the service. */
const t = initTRPC.meta<OpenApiMeta>().create();
const router = t.router({
  bench: t.router({
    transactions: t.procedure
      .meta({ openapi: { method: "GET", path: "/bench/transactions" } })
      .input(z.void())
      .output(Transactions)
      .query(() => transactions),
    sample: t.procedure
      .meta({ openapi: { method: "GET", path: "/bench/{id}" } })
      .input(Input)
      .output(Output)
      .query(({ input }) => ({ ...sample, id: input.id })),
  }),
});

const app = new Hono();

app.use("/trpc/*", trpcServer({ router, allowMethodOverride: true }));

app.all("/fetch/*", (c) =>
  fetchRequestHandler({ endpoint: "/fetch", req: c.req.raw, router, allowMethodOverride: true }),
);

app.all("/api/*", (c) => createOpenApiFetchHandler({ endpoint: "/api", req: c.req.raw, router }));

serveUntilStopped(app.fetch);
