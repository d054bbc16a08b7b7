import { addMs, dayMs } from "@purser/core";
import type { z } from "zod";
import { findBank } from "../../call-provider.ts";
import type { BankingContext } from "../../context.ts";
import type { BankProvider } from "../../ports.ts";
import { type SyncSummary, listSyncSummaries } from "../../syncs/store/runs.ts";
import type { ListConnectionHealth } from "../contract.ts";
import {
  consentAt,
  consentDeadline,
  deadlineOf,
  firstWarningMs,
  refuseReconfirmation,
  refuseSync,
} from "../rules.ts";
import type { ConnectionRow, ConsentRow } from "../store.ts";
import { pageOfConnections } from "./list.ts";

/** Returns the health of a team's connections, newest first. */
export async function listConnectionHealth(
  ctx: BankingContext,
  input: z.output<typeof ListConnectionHealth>,
) {
  const now = ctx.clock.now();
  const connections = await pageOfConnections(ctx, input);
  const summaries = await listSyncSummaries(ctx.db, input.teamId, addMs(now, -dayMs));
  const syncs = new Map(summaries.map((summary) => [summary.connectionId, summary]));
  return Promise.all(
    connections.map(async ({ connection, consents: [newest] }) => {
      const bank = await findBank(ctx, connection.provider);
      // A connection always has a consent. The newest one is in use.
      return healthOf(connection, newest!, syncs.get(connection.id), { bank, now });
    }),
  );
}

function healthOf(
  connection: ConnectionRow,
  consent: ConsentRow,
  sync: SyncSummary | undefined,
  { bank, now }: { bank: BankProvider | null; now: Date },
) {
  const isDisconnected = connection.status === "DISCONNECTED";
  const state = statusOf(connection, consent, sync, now);
  const quota = bank?.unattendedReadsPerDay ?? null;
  const { reconfirmBy } = consent;
  const isInForce = !isDisconnected && consentAt(consent, now).status === "AUTHORIZED";
  return {
    connectionId: connection.id,
    ...state,
    lastSuccessAt: connection.syncedAt,
    bankReadAt: connection.bankReadAt,
    // The consent has expired since the last check.
    nextSyncAt: state.status === "needs_reauthorization" ? null : connection.nextSyncAt,
    quotaRemaining:
      quota === null || isDisconnected ? null : Math.max(0, quota - (sync?.unattendedReads ?? 0)),
    // A confirmation is due without the consent ending.
    consentExpiresAt: consentDeadline({ ...consent, reconfirmBy: null }),
    reconfirmBy: isInForce ? reconfirmBy : null,
    ...deadlineOf(consent, isInForce),
    institutionName: connection.institutionName,
    canSync: refuseSync(connection, consent, now) === null,
    canReconfirm: refuseReconfirmation(connection, consent, bank, now) === null,
    isConsentEnding: isInForce && consentDeadline(consent).getTime() - now.getTime() <= firstWarningMs,
  };
}

function statusOf(connection: ConnectionRow, consent: ConsentRow, sync: SyncSummary | undefined, now: Date) {
  if (connection.status === "DISCONNECTED") return { status: "disconnected" as const, reason: null };
  const { needsReauthorization } = connection;
  if (needsReauthorization !== null)
    return { status: "needs_reauthorization" as const, reason: needsReauthorization };
  if (consentAt(consent, now).status === "REVOKED")
    return { status: "needs_reauthorization" as const, reason: "CONSENT_EXPIRED" };
  if (connection.failures > 0) return { status: "failing" as const, reason: sync?.errorCode ?? null };
  // A sync of a new consent failed, and does not count: the provider is still preparing the history.
  const isPreparing = (sync?.errorCode ?? null) !== null;
  return { status: sync?.isActive || isPreparing ? ("syncing" as const) : ("ok" as const), reason: null };
}
