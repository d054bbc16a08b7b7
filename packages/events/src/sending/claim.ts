import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { newId } from "@purser/core";
import { latestLeaseEnd, leaseEnd, changeOrganization } from "@purser/platform";
import { failPendingDeliveries } from "../webhook-endpoints/deliveries/store.ts";
import type { SendingPlatform } from "./context.ts";
import type { SlowEndpoints } from "./slow-endpoints.ts";
import {
  type EndpointLease,
  type EndpointState,
  type UnreadEvent,
  lockEndpoints,
  readUnreadEvents,
  storeEndpointStates,
} from "./store/claims.ts";
import { type NewDelivery, insertDeliveries } from "./store/deliveries.ts";

/** How many events of a feed become deliveries in one transaction. */
const eventsAtOnce = 200;

/** How many more endpoints the process can take, and how many of them may be degraded: failing or slow. */
export interface Capacity {
  healthy: number;
  degraded: number;
}

export interface ClaimedEndpoint extends EndpointLease {
  isFailing: boolean;
}

export interface Claims {
  claimed: ClaimedEndpoint[];
  /** Events became deliveries. */
  hasRead: boolean;
  /** There is more to read in the feed already. */
  hasMore: boolean;
  /** Events wait for an older transaction to end, or another transaction holds an endpoint. Try again soon. */
  isBlocked: boolean;
}

/**
 * Reads the feed of an organization for its endpoints, and claims those that are due. One transaction adds a delivery for
 * each event of an endpoint's types and moves the endpoint's position after it: a crash leaves both or neither, and two
 * processes cannot read the same part, because the endpoint's row is locked.
 */
export async function claimEndpoints(
  platform: SendingPlatform,
  organizationId: string,
  capacity: Capacity,
  slow: Pick<SlowEndpoints, "has"> = new Set<string>(),
): Promise<Claims> {
  // Before the transaction, which must not need a second connection.
  const { first: firstEra } = await platform.eventLog.eras();
  return changeOrganization(platform, organizationId, async (transaction) => {
    const now = platform.clock.now();
    const { endpoints, isComplete } = await lockEndpoints(transaction, organizationId);
    const before = new Map(endpoints.map((endpoint) => [endpoint.id, { ...endpoint }]));
    for (const endpoint of endpoints) {
      const isTooLong = endpoint.leasedUntil !== null && endpoint.leasedUntil > latestLeaseEnd(now);
      if (isTooLong) endpoint.leasedUntil = leaseEnd(now);
    }
    const added: NewDelivery[] = [];
    let hasMore = false;
    let isBlocked = !isComplete;
    // Endpoints that are up to date share a position, so their feed is read once.
    const enabled = endpoints.filter(({ isEnabled }) => isEnabled);
    for (const readers of Map.groupBy(enabled, positionKey).values()) {
      const [first] = readers as [EndpointState];
      const after = { ...first, id: first.eventId };
      const entries = await readUnreadEvents(transaction, organizationId, {
        after,
        firstEra,
        limit: eventsAtOnce,
      });
      const settled = entries.filter(({ isSettled }) => isSettled);
      isBlocked ||= settled.length < entries.length;
      hasMore ||= settled.length === eventsAtOnce;
      for (const reader of readers) added.push(...advanceReader(reader, settled, now));
    }
    for (const { id, isEnabled, dueAt, ...endpoint } of endpoints) {
      if (isEnabled || dueAt === null || endpoint.lease !== null) continue;
      // An endpoint that was disabled with very many pending deliveries.
      const more = await failPendingDeliveries(transaction, { organizationId, endpointId: id });
      endpoints.find((one) => one.id === id)!.dueAt = more ? now : null;
      hasMore ||= more;
    }
    await insertDeliveries(transaction, organizationId, added, now);
    const claimed = claimDue(endpoints, { capacity, slow, now }).map((endpoint) => ({
      organizationId,
      id: endpoint.id,
      lease: endpoint.lease!,
      isFailing: endpoint.isFailing,
    }));
    const changed = endpoints.filter((endpoint) => !isDeepStrictEqual(before.get(endpoint.id), endpoint));
    await storeEndpointStates(transaction, organizationId, changed);
    return { claimed, hasRead: added.length > 0, hasMore, isBlocked };
  });
}

const positionKey = ({ era, transactionId, recordedAt, eventId }: EndpointState) =>
  `${era} ${transactionId} ${recordedAt} ${eventId}`;

/** Moves a reader after these events, and returns the deliveries of those that it wants. */
function advanceReader(reader: EndpointState, entries: readonly UnreadEvent[], now: Date): NewDelivery[] {
  const last = entries.at(-1);
  if (last === undefined) return [];
  const { era, transactionId, recordedAt, id } = last;
  Object.assign(reader, { era, transactionId, recordedAt, eventId: id });
  const wanted = entries.filter(({ type }) => reader.types.length === 0 || reader.types.includes(type));
  if (wanted.length > 0 && (reader.dueAt === null || reader.dueAt > now)) reader.dueAt = now;
  return wanted.map(({ id: eventId, type: eventType }) => ({
    id: newId("whd", now),
    endpointId: reader.id,
    eventId,
    eventType,
  }));
}

interface ClaimOptions {
  capacity: Capacity;
  slow: Pick<SlowEndpoints, "has">;
  now: Date;
}

/**
 * Claims the endpoints that are due or whose claim is void, within the capacity, the one that has waited longest first. A
 * claim clears the due time.
 */
function claimDue(
  endpoints: readonly EndpointState[],
  { capacity, slow, now }: ClaimOptions,
): EndpointState[] {
  const left = { ...capacity };
  const due = endpoints.filter(({ isEnabled, lease, leasedUntil, dueAt }) =>
    lease === null ? isEnabled && dueAt !== null && dueAt <= now : leasedUntil! <= now,
  );
  const waitingSince = ({ dueAt, leasedUntil }: EndpointState) => (dueAt ?? leasedUntil!).getTime();
  const byWait = due.toSorted((one, other) => waitingSince(one) - waitingSince(other));
  return byWait.filter((endpoint) => {
    const kind = endpoint.isFailing || slow.has(endpoint.id) ? "degraded" : "healthy";
    if (left[kind] <= 0) return false;
    left[kind] -= 1;
    endpoint.lease = randomUUID();
    endpoint.leasedUntil = leaseEnd(now);
    endpoint.dueAt = null;
    return true;
  });
}
