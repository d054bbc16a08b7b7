import { createBatcher, leaseMs, changeOrganization, retryWhileUnavailable } from "@purser/platform";
import type { DeliveryOutcome } from "./attempt.ts";
import type { SendingPlatform } from "./context.ts";
import type { EndpointLease } from "./store/claims.ts";
import { type EndpointOutcome, storeAttempts, storeEndpointOutcomes } from "./store/deliveries.ts";

/** Something to store about a claimed endpoint: an attempt, or the end of the claim. */
export interface SendingRecord {
  endpoint: EndpointLease & { isFailing: boolean };
  /** The outcome of the attempt. Null at the end of the claim. */
  outcome: DeliveryOutcome | null;
}

/** What is known of an endpoint once a record is stored. Null if the claim was lost before. */
export type RecordedEndpoint = { failingSince: Date | null; dueAt: Date | null } | null;

/** Stores one record, in a batch with those of the same organization that arrive while others are stored. */
export type SendingRecorder = (record: SendingRecord) => Promise<RecordedEndpoint>;

export function createRecorder(platform: SendingPlatform): SendingRecorder {
  return createBatcher<SendingRecord, RecordedEndpoint>({
    run: (records) =>
      // Without the result, the event would be sent again. After this time the claim is void anyway.
      retryWhileUnavailable(platform, () => storeRecords(platform, records), { timeoutMs: leaseMs }),
    maxBatchSize: 500,
    groupOf: ({ endpoint }) => endpoint.organizationId,
    maxConcurrentBatches: 2,
    maxWaitMs: 60_000,
  });
}

async function storeRecords(
  platform: SendingPlatform,
  records: readonly SendingRecord[],
): Promise<RecordedEndpoint[]> {
  const { organizationId } = records[0]!.endpoint;
  const results = records.flatMap(({ outcome }) => outcome?.result ?? []);
  const outcomes = [...Map.groupBy(records, ({ endpoint }) => endpoint.id).values()].map(endpointOutcomeOf);
  // The usual case: it worked before, it works now, and more is to be sent.
  const changing = outcomes.filter(({ isReleased, isChange }) => isReleased || isChange);
  const stored = await changeOrganization(platform, organizationId, async (transaction) => {
    await storeAttempts(transaction, organizationId, results);
    return storeEndpointOutcomes(transaction, organizationId, changing, platform.clock.now());
  });
  const byId = new Map(stored.map((endpoint) => [endpoint.id, endpoint]));
  return records.map(({ endpoint }) => byId.get(endpoint.id) ?? null);
}

function endpointOutcomeOf(records: readonly SendingRecord[]): EndpointOutcome & { isChange: boolean } {
  const { isFailing, ...endpoint } = records[0]!.endpoint;
  const attempts = records.flatMap(({ outcome }) => outcome?.hasSucceeded ?? []);
  const hasSucceeded = attempts.length === 0 ? null : attempts.includes(true);
  return {
    ...endpoint,
    hasSucceeded,
    isReleased: records.some(({ outcome }) => outcome === null),
    isChange: hasSucceeded !== null && (isFailing || !hasSucceeded),
  };
}
