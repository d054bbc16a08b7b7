import { setTimeout as pause } from "node:timers/promises";
import { type Transaction, sqlState } from "@purser/db";
import type { UserContext } from "./context.ts";
import { claimKey, leaseKey } from "./idempotency.ts";

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
  return retryTransaction(() =>
    ctx.db.transaction(async (transaction) => {
      const claim = await claimKey(ctx, transaction, input);
      if ("output" in claim) return claim.output as Output;
      const output = await work(transaction);
      await claim.complete(output);
      return output;
    }),
  );
}

/**
 * Runs a mutation that has to ask a provider first: no transaction is open while it waits for the answer. Its
 * idempotency key is leased before, so that a repeat meanwhile does not ask again, and completed in the transaction
 * that has the effect. `ask` may run again after a crash, so what it does has to bear repetition.
 */
export async function transactAfterProviderCall<Answer, Output>(
  ctx: UserContext,
  input: unknown,
  ask: () => Promise<Answer>,
  work: (transaction: Transaction, answer: Answer) => Promise<Output>,
): Promise<Output> {
  const lease = await leaseKey(ctx, input);
  if ("output" in lease) return lease.output as Output;
  try {
    const answer = await ask();
    return await retryTransaction(() =>
      ctx.db.transaction(async (transaction) => {
        const output = await work(transaction, answer);
        await lease.complete(transaction, output);
        return output;
      }),
    );
  } catch (error) {
    // Where the key cannot be freed, its lease ends by itself; what went wrong before is what there is to say.
    await lease.release().catch(() => undefined);
    throw error;
  }
}

/** Runs a transaction again when it lost to another one without having had an effect. */
export async function retryTransaction<Output>(run: () => Promise<Output>): Promise<Output> {
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
