import { Problem } from "@purser/core";
import type { Transaction } from "@purser/db";
import { lockForOwner } from "@purser/organizations";
import { actorOf, audit, transactInOrganization } from "@purser/platform";
import type { z } from "zod";
import { type ConnectionRow, lockConnections, setConnection } from "../../connections/store.ts";
import type { BankingContext } from "../../context.ts";
import { recordAccountEvents } from "../../feed-events/service.ts";
import { personOf } from "../../person.ts";
import { requestSync } from "../../syncs/service/run.ts";
import { markMergedRows, markUnlistedRows } from "../../syncs/store/merge.ts";
import type { MergeAccounts } from "../contract.ts";
import { listMergeCandidates } from "../store/list.ts";
import { type AccountRow, findAccountRows, lockAccountRows } from "../store/merge.ts";
import { startEpoch } from "../store/sources.ts";
import { findMergeRefusal, moveAccount } from "./move.ts";
import { accountDetails } from "./read.ts";

type MergeInput = z.output<typeof MergeAccounts>;

/**
 * Merges an account into another one. The continuing account stays with its connection, which then reads its whole
 * history again: a payment that its bank lists takes the place of the transaction that another connection has read.
 */
export function mergeAccounts(ctx: BankingContext, input: MergeInput) {
  return transactInOrganization(ctx, input.teamId, input, async (transaction) => {
    const { teamId, accountId, intoAccountId } = input;
    const find = async () =>
      pickPair(await findAccountRows(transaction, teamId, [accountId, intoAccountId]), input);
    await find();
    await lockForOwner(ctx, transaction, teamId);
    // Another merge may have ended one of them since.
    const found = await find();
    const connections = await lockConnections(transaction, teamId, [
      found.account.connectionId,
      found.continuing.connectionId,
    ]);
    const { account, continuing } = pickPair(
      await lockAccountRows(transaction, teamId, [accountId, intoAccountId]),
      input,
    );
    const previous = connections.get(account.connectionId);
    const owner = connections.get(continuing.connectionId);
    // Another connection has just adopted one of them.
    if (previous === undefined || owner === undefined)
      throw new Problem("UNAVAILABLE", { retryAfterSeconds: 1 });
    const refusal = await findMergeRefusal(transaction, account, continuing);
    if (refusal !== null) throw new Problem("ACCOUNTS_CANNOT_MERGE", { detail: refusal });
    const reader = owner.status === "ACTIVE" ? owner : previous;
    await keepUnlisted(transaction, { account, continuing }, reader);
    const actor = actorOf(ctx);
    const { counts, ...moved } = await moveAccount(
      ctx,
      transaction,
      { account, continuing },
      { actor, now: ctx.clock.now() },
    );
    await readAgain(ctx, transaction, continuing, reader);
    const details = { accountId, ...counts };
    audit(ctx, transaction, { organizationId: teamId, subject: intoAccountId, details });
    const accountIds = [intoAccountId];
    await recordAccountEvents(ctx, transaction, actor, { organizationId: teamId, accountIds, ...moved });
    return accountDetails(transaction, ctx.settings.encryptionKeys, teamId, intoAccountId);
  });
}

/** Picks the two accounts. Throws BANK_ACCOUNT_NOT_FOUND without both. */
function pickPair(rows: readonly AccountRow[], { accountId, intoAccountId }: MergeInput) {
  const account = rows.find(({ id }) => id === accountId);
  const continuing = rows.find(({ id }) => id === intoAccountId);
  if (account === undefined || continuing === undefined) throw new Problem("BANK_ACCOUNT_NOT_FOUND");
  return { account, continuing };
}

/**
 * Keeps what the connection that reads the merged history has read of the other one of the two accounts: its bank may have
 * replaced that by this one, as it does with a lost card.
 */
async function keepUnlisted(
  transaction: Transaction,
  { account, continuing }: { account: AccountRow; continuing: AccountRow },
  { organizationId, id: connectionId }: ConnectionRow,
): Promise<void> {
  const [ending] = await listMergeCandidates(transaction, organizationId, [account.id]);
  const unlisted = ending?.listedBy === connectionId ? continuing : account;
  await markUnlistedRows(transaction, { organizationId, connectionId }, unlisted.id);
}

/**
 * Lets the connection match the merged history with all that its bank lists. A sync that is running read the bank for
 * other accounts: without its cursor, its result is discarded.
 */
async function readAgain(
  ctx: BankingContext,
  transaction: Transaction,
  { organizationId, id }: AccountRow,
  connection: ConnectionRow,
): Promise<void> {
  await startEpoch(transaction, organizationId, id);
  // Also where that is not the continuing account's own connection, because it has ended.
  await markMergedRows(transaction, { organizationId, connectionId: connection.id }, id);
  if (connection.status !== "ACTIVE") return;
  await setConnection(transaction, connection, { cursor: null });
  if (connection.needsReauthorization === null)
    await requestSync(ctx, transaction, connection, "CONNECT", personOf(ctx));
}
