import { Hono } from "hono";
import { Input, Output, Transactions, sample, transactions } from "../../foundation/contract.ts";
import { serveUntilStopped } from "../../serve-fetch.ts";

/** What one writes by hand with Hono, with and without checking the answer. */
const app = new Hono();

app.get("/api/bench/transactions", (c) => c.json(Transactions.parse(transactions)));

app.get("/api/bench/:id", (c) => {
  const { id } = Input.parse(c.req.param());
  return c.json(Output.parse({ ...sample, id }));
});

app.get("/unchecked/transactions", (c) => c.json(transactions));

serveUntilStopped(app.fetch);
