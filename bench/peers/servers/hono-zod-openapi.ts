import { OpenAPIHono, createRoute } from "@hono/zod-openapi";
import { Input, Output, Transactions, sample, transactions } from "../../foundation/contract.ts";
import { serveUntilStopped } from "../../serve-fetch.ts";

/** It checks the input alone. The output contract is only for types and the document. */
const app = new OpenAPIHono();

const page = createRoute({
  method: "get",
  path: "/api/bench/transactions",
  responses: { 200: { description: "A page", content: { "application/json": { schema: Transactions } } } },
});
app.openapi(page, (c) => c.json(transactions, 200));

const small = createRoute({
  method: "get",
  path: "/api/bench/{id}",
  request: { params: Input },
  responses: { 200: { description: "A sample", content: { "application/json": { schema: Output } } } },
});
app.openapi(small, (c) => c.json({ ...sample, id: c.req.valid("param").id }, 200));

serveUntilStopped(app.fetch);
