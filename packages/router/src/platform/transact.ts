import { setTimeout as pause } from "node:timers/promises";
import { type Transaction, sqlState } from "@purser/db";
import type { UserContext } from "../trpc.ts";
import { claimKey } from "./idempotency.ts";

/** Serialization failure and deadlock: the transaction had no effect and may simply run again. */
const repeatable = new Set(["40001", "40P01"]);
const attempts = 4;

/**
 * Runs a mutation as the one database transaction it is, and completes its idempotency key in it.
 *
 * The work may run more than once, so it touches nothing but the database; what reaches outside goes through
 * the outbox. Never call a provider in it.
 */
export async function transact<Output>(
  ctx: UserContext,
  input: unknown,
  work: (transaction: Transaction) => Promise<Output>,
): Promise<Output> {
  return repeat(() =>
    ctx.db.transaction(async (transaction) => {
      const claim = await claimKey(ctx, transaction, input);
      if ("output" in claim) return claim.output as Output;
      const output = await work(transaction);
      await claim.keep(output);
      return output;
    }),
  );
}

/** Runs a transaction again when it lost to another one without having had an effect. */
export async function repeat<Output>(run: () => Promise<Output>): Promise<Output> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (attempt === attempts || !repeatable.has(sqlState(error) ?? "")) throw error;
      // Those that met each other once would meet again if they set out at the same moment.
      await pause(Math.random() * 20 * 2 ** attempt);
    }
  }
}
