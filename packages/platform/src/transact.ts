import { setTimeout as sleep } from "node:timers/promises";
import { type Transaction, sqlState } from "@purser/db";
import type { CallerContext } from "./context.ts";
import { claimKey, leaseKey } from "./idempotency.ts";
import { whileRenewing } from "./leases.ts";

/** Serialization failure and deadlock: the transaction had no effect and may run again. */
const retryableSqlStates = new Set(["40001", "40P01"]);
const maxAttempts = 4;

/**
 * Runs a mutation as one database transaction, which also completes its idempotency key.
 *
 * `work` may run more than once, so it must touch nothing but the database. Effects outside go through the outbox. Never
 * call a provider in it. An output with a secret that is shown once (`isSecret`) is not stored: a repeat is refused with
 * IDEMPOTENCY_KEY_REUSED. The stored fingerprint of a sensitive input (`isSensitive`) reveals nothing of it.
 *
 * @example
 * return transact(ctx, input, async (transaction) => {
 *   await renameOrganization(transaction, input);
 *   audit(ctx, transaction, { organizationId: input.organizationId, subject: input.organizationId });
 * });
 */
export async function transact<Output>(
  ctx: CallerContext,
  input: unknown,
  work: (transaction: Transaction) => Promise<Output>,
  { isSecret = false, isSensitive = false }: { isSecret?: boolean; isSensitive?: boolean } = {},
): Promise<Output> {
  return retryTransaction(() =>
    ctx.db.transaction(async (transaction) => {
      const claim = await claimKey(ctx, transaction, input, { isSensitive });
      if ("output" in claim) return claim.output as Output;
      const output = await work(transaction);
      await claim.complete(output, isSecret);
      return output;
    }),
  );
}

/**
 * Runs a mutation that first calls a provider. No transaction is open during the call. The idempotency key is leased
 * before the call, so a concurrent repeat does not call the provider again, and completed in the transaction that has
 * the effect. `callProvider` may run again after a crash, so it must be idempotent. `within` runs the call and the transaction,
 * for example under a lock that covers both, and may pass something to the call. The key is leased before.
 */
export async function transactAfterProviderCall<Result, Output, Scope = void>(
  ctx: CallerContext,
  input: unknown,
  callProvider: (scope: Scope) => Promise<Result>,
  work: (transaction: Transaction, result: Result) => Promise<Output>,
  {
    within = (run) => run(undefined as Scope),
  }: { within?: (run: (scope: Scope) => Promise<Output>) => Promise<Output> } = {},
): Promise<Output> {
  const lease = await leaseKey(ctx, input);
  if ("output" in lease) return lease.output as Output;
  try {
    return await whileRenewing(
      ctx,
      () => lease.renew(),
      () =>
        within(async (scope) => {
          const result = await callProvider(scope);
          return retryTransaction(() =>
            ctx.db.transaction(async (transaction) => {
              const output = await work(transaction, result);
              await lease.complete(transaction, output);
              return output;
            }),
          );
        }),
    );
  } catch (error) {
    await lease.release(error);
    throw error;
  }
}

/** Runs a transaction, and runs it again after a serialization failure or a deadlock. */
export async function retryTransaction<Output>(run: () => Promise<Output>): Promise<Output> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (attempt === maxAttempts || !retryableSqlStates.has(sqlState(error) ?? "")) throw error;
      // A random pause keeps the same transactions from colliding again.
      await sleep(Math.random() * 20 * 2 ** attempt);
    }
  }
}
