import type { Transaction } from "@purser/db";
import type { CallerContext } from "./context.ts";
import { claimKey, claimKeyIn, leaseKey, leaseKeyIn } from "./idempotency/index.ts";
import { whileRenewing } from "./leases.ts";
import { changeOrganization } from "./organization-node.ts";
import { retryTransaction } from "./retry-transaction.ts";

interface TransactOptions {
  /** The output has a secret that is shown once. It is not stored: a repeat is refused with IDEMPOTENCY_KEY_REUSED. */
  isSecret?: boolean;
  /** The stored fingerprint of the input reveals nothing of it. */
  isSensitive?: boolean;
}

/**
 * Runs a mutation as one database transaction, which also completes its idempotency key.
 *
 * `work` may run more than once, so it must touch nothing but the database. Effects outside go through the outbox. Never
 * call a provider in it.
 *
 * @see transactInOrganization for all that changes one organization
 */
export async function transact<Output>(
  ctx: CallerContext,
  input: unknown,
  work: (transaction: Transaction) => Promise<Output>,
  { isSecret = false, isSensitive = false }: TransactOptions = {},
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
 * The same for a mutation that changes nothing but the tables of one organization, and the outbox. On a cluster, it runs and
 * commits on the node that holds the organization, where `transact` would commit on several servers.
 *
 * @example
 * return transactInOrganization(ctx, organizationId, input, async (transaction) => {
 *   await renameOrganization(transaction, input);
 *   audit(ctx, transaction, { organizationId, subject: organizationId });
 * });
 */
export async function transactInOrganization<Output>(
  ctx: CallerContext,
  organizationId: string,
  input: unknown,
  work: (transaction: Transaction) => Promise<Output>,
  options: TransactOptions = {},
): Promise<Output> {
  if (ctx.nodes === null) return transact(ctx, input, work, options);
  const { isSecret = false, isSensitive = false } = options;
  const claim = await claimKeyIn(ctx, organizationId, input, { isSensitive });
  if ("output" in claim) return claim.output as Output;
  try {
    return await changeOrganization(ctx, organizationId, async (transaction) => {
      const first = await claim.begin(transaction);
      if (first !== null) return first.output as Output;
      const output = await work(transaction);
      await claim.complete(transaction, output, isSecret);
      return output;
    });
  } catch (error) {
    await claim.release(error);
    throw error;
  }
}

interface ProviderCallOptions<Output, Scope> {
  /**
   * Runs the call and the transaction, for example under a lock that covers both, and may pass something to the call. The key is
   * leased before.
   */
  within?: (run: (scope: Scope) => Promise<Output>) => Promise<Output>;
}

/**
 * Runs a mutation that first calls a provider. No transaction is open during the call. The idempotency key is leased
 * before the call, so a concurrent repeat does not call the provider again, and completed in the transaction that has
 * the effect. `callProvider` may run again after a crash, so it must be idempotent.
 *
 * `organizationId` says which organization's tables alone the transaction changes, beside the outbox. Then it runs as
 * `transactInOrganization` does. Null if it changes others too.
 */
export async function transactAfterProviderCall<Result, Output, Scope = void>(
  ctx: CallerContext,
  organizationId: string | null,
  input: unknown,
  callProvider: (scope: Scope) => Promise<Result>,
  work: (transaction: Transaction, result: Result) => Promise<Output>,
  options?: ProviderCallOptions<Output, Scope>,
): Promise<Output> {
  if (ctx.nodes === null || organizationId === null) {
    const lease = await leaseKey(ctx, input);
    if ("output" in lease) return lease.output as Output;
    const commit = (result: Result) =>
      retryTransaction(() =>
        ctx.db.transaction(async (transaction) => {
          const output = await work(transaction, result);
          await lease.complete(transaction, output);
          return output;
        }),
      );
    return whileLeased(ctx, lease, async (scope) => commit(await callProvider(scope)), options);
  }
  const lease = await leaseKeyIn(ctx, organizationId, input);
  if ("output" in lease) return lease.output as Output;
  const commit = (result: Result) =>
    changeOrganization(ctx, organizationId, async (transaction) => {
      const first = await lease.begin(transaction);
      if (first !== null) return first.output as Output;
      const output = await work(transaction, result);
      await lease.complete(transaction, output, false);
      return output;
    });
  return whileLeased(ctx, lease, async (scope) => commit(await callProvider(scope)), options);
}

async function whileLeased<Output, Scope>(
  ctx: CallerContext,
  lease: { renew(): Promise<void>; release(failure: unknown): Promise<void> },
  run: (scope: Scope) => Promise<Output>,
  { within = (runIn) => runIn(undefined as Scope) }: ProviderCallOptions<Output, Scope> = {},
): Promise<Output> {
  try {
    return await whileRenewing(
      ctx,
      () => lease.renew(),
      () => within(run),
    );
  } catch (error) {
    await lease.release(error);
    throw error;
  }
}
