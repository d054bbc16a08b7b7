import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { FedEvent } from "../../stream-follower.ts";
import type { EventFollower, FollowedEvents } from "../event-follower.ts";
import type { LoadContext } from "../load-context.ts";
import { describeUndelivered } from "./undelivered.ts";

/**
 * Feed, stream and webhooks have every event: the feed and the stream once and in one order, the webhooks at least once.
 * No change is without its event, and no event without its change.
 */
export async function checkFollowedEvents(context: LoadContext): Promise<void> {
  await checkChanges(context);
  for (const follower of context.followers) {
    await checkReaders(context, follower);
    await checkLastStates(context, follower);
  }
}

async function checkReaders(context: LoadContext, follower: EventFollower): Promise<void> {
  const { processes, reportViolation } = context;
  const { name, organizationId } = follower.tenant;
  let ids: string[] = [];
  let differences: ReaderDifference[] = [];
  const until = performance.now() + processes.settleLimitMs;
  do {
    await sleep(100);
    await follower.readFeed();
    // After the feed, and again if a reader is ahead: a scheduled job may record an event at any time.
    ids = await listEventIds(context, organizationId);
    differences = findDifferences(follower, ids);
  } while (performance.now() < until && differences.length > 0);
  for (const { reader, description, missing } of differences) {
    reportViolation(`${name}'s ${reader} ${description}`);
    if (reader !== "webhooks" || missing.length === 0) continue;
    for (const state of await describeUndelivered(processes, organizationId, missing)) reportViolation(state);
  }
}

interface ReaderDifference {
  reader: "feed" | "stream" | "webhooks";
  description: string;
  missing: string[];
}

/** Compares what each reader has with the events that it must have, whose ids are in the order of the feed. */
export function findDifferences(
  { fed, streamed, streamsFrom, received }: FollowedEvents,
  ids: readonly string[],
): ReaderDifference[] {
  const known = new Set(ids);
  // Webhooks come in any order, and may have events from before.
  const delivered = ids.filter((id) => received.has(id));
  const invented = [...received].filter((id) => !known.has(id));
  return [
    ...compareIds("feed", idsOf(fed), ids),
    ...compareIds("stream", idsOf(streamed), ids.slice(streamsFrom)),
    ...compareIds(
      "webhooks",
      [...delivered, ...invented],
      ids.filter((id, place) => place >= streamsFrom || received.has(id)),
    ),
  ];
}

function compareIds(
  reader: ReaderDifference["reader"],
  found: readonly string[],
  expected: readonly string[],
): ReaderDifference[] {
  if (isDeepStrictEqual(found, expected)) return [];
  const left = new Set(expected);
  const surplus = found.filter((id) => !left.delete(id));
  const missing = [...left];
  const describe = (some: readonly string[], what: string) =>
    some.length === 0 ? [] : [`${some.length} ${what} (${some.slice(0, 5).join(", ")})`];
  const parts = [...describe(missing, "missing"), ...describe(surplus, "unexpected or repeated")];
  const description = `of ${expected.length} events: ${parts.join(", ") || "in another order"}`;
  return [{ reader, description, missing }];
}

/** The ids of the events of an organization, in the order of the feed. */
async function listEventIds({ processes }: LoadContext, organizationId: string): Promise<string[]> {
  const rows = await processes.query<{ id: string }>(
    (sql) => sql`
      SELECT id FROM events WHERE organization_id = ${organizationId} ORDER BY era, transaction_id, recorded_at, id`,
  );
  return rows.map(({ id }) => id);
}

const idsOf = (events: readonly FedEvent[]) => events.map(({ id }) => id);

/** The events that changes of the ledgers and entries of the audit trail must have, and those that are there. */
async function checkChanges({ processes, reportViolation }: LoadContext): Promise<void> {
  const wrong = await processes.query<{ description: string }>(
    (sql) => sql`
      WITH changed (organization_id, type) AS (
        SELECT organization_id, type FROM audit_entries JOIN (VALUES
            ('organizations.update', 'organization.updated'),
            ('organizations.invitations.create', 'invitation.created'),
            ('organizations.invitations.revoke', 'invitation.revoked'),
            ('organizations.invitations.accept', 'invitation.accepted'),
            ('organizations.invitations.accept', 'member.joined'),
            ('organizations.members.remove', 'member.removed'),
            ('organizations.members.updateRole', 'member.role_updated'),
            ('banking.connections.connect', 'bank_connection.connected'),
            ('cards.create', 'card.created'),
            ('cards.updateStatus', 'card.status_changed'),
            ('cards.policies.create', 'card_policy.created'),
            ('cards.policies.update', 'card_policy.updated')) types (action, type) USING (action)
        UNION ALL
        SELECT organization_id, 'subscription.created' FROM audit_entries WHERE details ->> 'change' = 'started'
        UNION ALL
        SELECT organization_id, 'bank_connection.synced' FROM bank_syncs WHERE status = 'SUCCEEDED'
        UNION ALL
        SELECT organization_id, 'card_transaction.' || CASE kind
          WHEN 'AUTHORIZATION' THEN decision ->> 'outcome' WHEN 'INCREMENT' THEN 'incremented'
          WHEN 'REVERSAL' THEN 'reversed' WHEN 'EXPIRY' THEN 'expired' WHEN 'CLEARING' THEN 'settled'
          WHEN 'DISPUTE_DEBIT' THEN 'settled' ELSE 'refunded' END FROM card_events entry
        -- A clearing of nothing changes a purchase only if it is the last one.
        WHERE NOT (kind = 'CLEARING' AND amount = 0 AND NOT final)
        -- A reversal of nothing changes one only if it ends it: a late decline marks a request that held nothing.
        AND (NOT (kind = 'REVERSAL' AND counted = 0) OR NOT EXISTS (
          SELECT FROM card_transactions purchase WHERE purchase.organization_id = entry.organization_id
            AND purchase.id = entry.transaction_id AND purchase.status = 'PENDING'
          UNION ALL
          SELECT FROM card_events later WHERE later.organization_id = entry.organization_id
            AND later.transaction_id = entry.transaction_id AND later.kind IN ('REVERSAL', 'EXPIRY', 'CLEARING')
            AND (later.created_at, later.id) > (entry.created_at, entry.id)))),
      expected AS (SELECT organization_id, type, count(*) FROM changed GROUP BY 1, 2),
      found AS (SELECT organization_id, type, count(*) FROM events GROUP BY 1, 2)
      SELECT format('%s has %s changes with an event %s, and %s such events', organization_id,
        coalesce(expected.count, 0), type, coalesce(found.count, 0)) AS description
      FROM expected FULL JOIN found USING (organization_id, type)
      WHERE coalesce(expected.count, 0) <> coalesce(found.count, 0)
        AND type IN (SELECT type FROM changed)`,
  );
  for (const { description } of wrong) reportViolation(description);
}

/** The last events of the accounts and of the purchases show them as they are. */
async function checkLastStates(
  { processes, reportViolation }: LoadContext,
  { tenant, fed }: EventFollower,
): Promise<void> {
  const last = new Map(
    fed.flatMap((event) => {
      const state = stateOf(event);
      return state === undefined ? [] : [[event.subject.id, String(state)] as const];
    }),
  );
  const rows = await processes.query<{ id: string; state: string }>(
    (sql) => sql`
      SELECT id, balance::text AS state FROM bank_accounts WHERE organization_id = ${tenant.organizationId}
      UNION ALL
      SELECT id, status FROM card_transactions WHERE organization_id = ${tenant.organizationId}`,
  );
  for (const { id, state } of rows)
    if (last.get(id) !== state)
      reportViolation(`${tenant.name}'s ${id} is ${state}, and its last event shows ${last.get(id)}`);
}

function stateOf({ type, subject, data }: FedEvent): string | number | undefined {
  if (type === "bank_account.updated") return data.balance;
  return subject.type === "card_transaction" ? data.status : undefined;
}
