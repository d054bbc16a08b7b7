import { setTimeout as sleep } from "node:timers/promises";
import { Problem, type ProblemCode, problemCatalog } from "@purser/core";
import type { TenantKey, Transaction } from "@purser/db";
import { hasClientLeft, transactAfterProviderCall, changeOrganization } from "@purser/platform";
import type { z } from "zod";
import type { BankingContext } from "../../context.ts";
import { personOf } from "../../person.ts";
import { allowedFrom } from "../../syncs/rules/next-sync.ts";
import { unattendedReads } from "../../syncs/service/plan.ts";
import { requestSync, runSyncs } from "../../syncs/service/run.ts";
import { type SyncRow, findSync } from "../../syncs/store/runs.ts";
import type { TheConnection } from "../contract.ts";
import { consentAt, refuseSync } from "../rules.ts";
import { type ConnectionRow, findConnection, findNewestConsent, listConsentRows } from "../store.ts";

type Input = z.output<typeof TheConnection>;

/** The longest that a caller waits for a sync, which then continues in the background. */
const timeoutMs = 25_000;
const pollMs = 100;
/** How often a caller makes sure that the database is available while its own run goes on. */
const checkMs = 1000;

/**
 * Requests a sync, runs it or waits for the one that runs, at most 25 seconds, and throws the problem of one that fails. One that
 * takes longer continues in the background, so the result may be older than the call: see `updatedAt`.
 */
export function syncConnection(ctx: BankingContext, input: Input) {
  const { teamId, connectionId } = input;
  return transactAfterProviderCall(
    ctx,
    teamId,
    input,
    async () => {
      const connection = await syncable(ctx, input);
      const person = personOf(ctx);
      const id = await changeOrganization(ctx, teamId, async (transaction) => {
        const requested = await requestSync(ctx, transaction, connection, "MANUAL", person);
        if (person === undefined) await refuseOverQuota(ctx, transaction, connection);
        return requested;
      });
      const { sync, problem } = await runAndWait(ctx, connection, id);
      if (sync?.status === "FAILED") throw problem ?? problemOf(sync);
    },
    async (transaction) => {
      const connection = await findConnection(transaction, teamId, connectionId);
      if (connection === undefined) throw new Problem("CONNECTION_NOT_FOUND");
      const consents = await listConsentRows(transaction, teamId, [connectionId]);
      const now = ctx.clock.now();
      return {
        id: connectionId,
        status: connection.status,
        updatedAt: connection.syncedAt ?? connection.createdAt,
        consents: consents.map((consent) => consentAt(consent, now)),
      };
    },
  );
}

/** Finds the connection. Throws if it cannot be synced, without a call to the bank. */
async function syncable(ctx: BankingContext, { teamId, connectionId }: Input) {
  const connection = await findConnection(ctx.db, teamId, connectionId);
  if (connection === undefined) throw new Problem("CONNECTION_NOT_FOUND");
  const consent = await findNewestConsent(ctx.db, teamId, connectionId);
  const refusal = refuseSync(connection, consent, ctx.clock.now());
  if (refusal !== null) throw new Problem(refusal);
  return connection;
}

/**
 * Throws RATE_LIMITED if the bank may not be read without a person now. Called after the request: nothing can start the
 * queued sync until this transaction ends, and every other one counts.
 */
async function refuseOverQuota(
  ctx: BankingContext,
  transaction: Transaction,
  connection: ConnectionRow,
): Promise<void> {
  const reads = await unattendedReads(ctx, transaction, connection);
  const waitMs = (allowedFrom(reads)?.getTime() ?? 0) - ctx.clock.now().getTime();
  if (waitMs <= 0) return;
  throw new Problem("RATE_LIMITED", {
    detail: `The bank may be read ${reads.quota} times in 24 hours without a person present, which has happened.`,
    help: "The schedule reads the bank by itself. A person who is signed in can sync at any time.",
    retryAfterSeconds: Math.ceil(waitMs / 1000),
  });
}

/**
 * Runs the queued sync, or waits for the process that does, until the time limit, the shutdown or the departure of the
 * client. The sync goes on in each case. Returns it with the problem that it ended with, if it failed here.
 */
async function runAndWait(
  ctx: BankingContext,
  connection: TenantKey,
  id: string,
): Promise<{ sync: SyncRow | undefined; problem: Problem | undefined }> {
  const { organizationId } = connection;
  const deadline = performance.now() + timeoutMs;
  const mayWait = () => performance.now() < deadline && !ctx.shutdownSignal.aborted && !hasClientLeft(ctx);
  const over = new AbortController();
  let problem: Problem | undefined;
  const running = runSyncs(ctx, connection)
    .then((problems) => (problem = problems.get(id)))
    // The caller may be gone; the failure is recorded anyway.
    .catch((error: unknown) => ctx.logger.warn({ reason: String(error) }, "A sync failed unexpectedly"))
    .finally(() => over.abort());
  while (!over.signal.aborted && mayWait()) {
    await Promise.race([running, sleep(checkMs, undefined, { ref: false })]);
    // The run waits for a database that is away. The caller must not: this throws.
    if (!over.signal.aborted) await findSync(ctx.db, { organizationId, id });
  }
  for (;;) {
    const sync = await findSync(ctx.db, { organizationId, id });
    const isOver = sync?.status === "SUCCEEDED" || sync?.status === "FAILED";
    if (isOver || !mayWait()) return { sync, problem };
    await sleep(pollMs);
  }
}

/**
 * The problem of a sync that another run ended, of which only the code is known. An interrupted sync can be retried
 * immediately, and one that a provider failed later, as the schedule does.
 */
function problemOf({ errorCode }: SyncRow): Problem {
  const isOurs = errorCode === null || !(errorCode in problemCatalog) || errorCode === "UNAVAILABLE";
  if (isOurs) return new Problem("UNAVAILABLE", { retryAfterSeconds: 1 });
  const code = errorCode as ProblemCode;
  return code === "PROVIDER_ERROR" ? new Problem(code, { retryable: true }) : new Problem(code);
}
