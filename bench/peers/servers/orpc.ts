import { OpenAPIHandler } from "@orpc/openapi/fetch";
import { os } from "@orpc/server";
import { RPCHandler } from "@orpc/server/fetch";
import { Hono } from "hono";
import { Input, Output, Transactions, sample, transactions } from "../../foundation/contract.ts";
import { serveUntilStopped } from "../../serve-fetch.ts";

const router = {
  transactions: os
    .route({ method: "GET", path: "/bench/transactions" })
    .output(Transactions)
    .handler(() => transactions),
  sample: os
    .route({ method: "GET", path: "/bench/{id}" })
    .input(Input)
    .output(Output)
    .handler(({ input }) => ({ ...sample, id: input.id })),
};
const openapi = new OpenAPIHandler(router);
const rpc = new RPCHandler(router);

const app = new Hono();

app.use("/api/*", async (c, next) => {
  const { matched, response } = await openapi.handle(c.req.raw, { prefix: "/api", context: {} });
  if (matched) return c.newResponse(response.body, response);
  return next();
});

app.use("/rpc/*", async (c, next) => {
  const { matched, response } = await rpc.handle(c.req.raw, { prefix: "/rpc", context: {} });
  if (matched) return c.newResponse(response.body, response);
  return next();
});

serveUntilStopped(app.fetch);
