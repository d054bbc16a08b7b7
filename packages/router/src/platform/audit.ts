import { newId } from "@purser/core";
import { type Transaction, auditEntries } from "@purser/db";
import type { UserContext } from "./context.ts";

interface Act {
  organizationId: string;
  /** The identifier of what was acted upon. */
  subject: string;
  /** What changed, without secrets. */
  details?: Record<string, unknown>;
}

/** Puts on record, in the transaction that does it, what the caller did in an organization. */
export function audit(
  { clock, caller, procedure }: UserContext,
  transaction: Transaction,
  act: Act,
): Promise<void> {
  const actor = { id: caller.userId, name: caller.name };
  return recordAudit(transaction, { ...act, at: clock.now(), actor, action: procedure });
}

/** The same for what no procedure did: a job, or an operator at the command line. */
export async function recordAudit(
  transaction: Transaction,
  entry: Act & { at: Date; actor: { id: string; name: string } | null; action: string },
): Promise<void> {
  const { actor, details = {}, ...facts } = entry;
  await transaction.insert(auditEntries).values({
    ...facts,
    id: newId("aud", entry.at),
    actorId: actor?.id ?? null,
    actorName: actor?.name ?? null,
    details,
  });
}
