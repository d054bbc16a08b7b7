import { Problem } from "@purser/core";
import type { Transaction } from "@purser/db";
import { lockForOwner } from "@purser/organizations";
import { actorOf, audit, transactInOrganization } from "@purser/platform";
import type { z } from "zod";
import type { BankingContext } from "../../context.ts";
import { recordConnectionEvent } from "../../feed-events/service.ts";
import { recountIfOutdated } from "../../syncs/service/totals.ts";
import { abandonSyncs } from "../../syncs/store/runs.ts";
import type { TheConnection } from "../contract.ts";
import { type ConnectionRow, listConsentRows, lockConnection, setConnection } from "../store.ts";
import { endConsents } from "./revoke.ts";

/**
 * Ends the connection and its consents here at once; a job revokes them at the bank. A repetition returns the same times, and
 * records nothing.
 */
export function disconnectBank(ctx: BankingContext, input: z.output<typeof TheConnection>) {
  const { teamId, connectionId } = input;
  return transactInOrganization(ctx, teamId, input, async (transaction) => {
    await lockForOwner(ctx, transaction, teamId);
    const connection = await lockConnection(transaction, teamId, connectionId);
    if (connection === undefined) throw new Problem("CONNECTION_NOT_FOUND");
    if (connection.status === "ACTIVE") await disconnectConnection(ctx, transaction, connection);
    const consents = await listConsentRows(transaction, teamId, [connectionId]);
    return {
      id: connectionId,
      status: "DISCONNECTED" as const,
      consents: consents.map(({ id, revokedAt }) => ({
        id,
        status: "REVOKED" as const,
        // Every consent of a disconnected connection is revoked.
        revokedAt: revokedAt!,
      })),
    };
  });
}

async function disconnectConnection(
  ctx: BankingContext,
  transaction: Transaction,
  connection: ConnectionRow,
): Promise<void> {
  const { organizationId, id } = connection;
  const now = ctx.clock.now();
  await endConsents(ctx, transaction, connection, null);
  await abandonSyncs(transaction, connection, "CONNECTION_DISCONNECTED", now);
  // No later sync will recount them.
  await recountIfOutdated(transaction, connection);
  await setConnection(transaction, connection, {
    status: "DISCONNECTED",
    disconnectedAt: now,
    nextSyncAt: null,
    needsReauthorization: null,
  });
  audit(ctx, transaction, { organizationId, subject: id, details: { provider: connection.provider } });
  const actor = actorOf(ctx);
  await recordConnectionEvent(ctx, transaction, actor, connection, "bank_connection.disconnected", {});
}
