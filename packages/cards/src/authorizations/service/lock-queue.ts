import type { Database, Transaction } from "@purser/db";
import { type Platform, createBatcher, databaseOf, perPool, retryTransaction } from "@purser/platform";
import { type LockedCard, withCardLock } from "../store/card-lock.ts";
import { type CardReference, cardKeyOf, findCardOrganization } from "../store/decision-context.ts";
import { maxLockWaits } from "./queue-limits.ts";

/** Does work in a transaction that holds the lock of a card; undefined is for an unknown card. Returns what the work returns. */
type LockedWork<Result> = (transaction: Transaction, card: LockedCard | undefined) => Promise<Result>;

interface QueuedWork<Result> {
  card: string;
  run: () => Promise<Result>;
}

/**
 * Creates a queue, for each pool, of work that takes the lock of a card. It runs one at a time per card, because all work on one
 * card waits for the same lock, and would take all connections of the pool to do so: then everything else fails. Work that has
 * waited longer than `maxWaitMs` in the queue fails with UNAVAILABLE.
 */
export function createLockQueue({ maxWaitMs }: { maxWaitMs: number }) {
  const queueOf = perPool(
    (pool) =>
      createBatcher({
        run: async ([work]: readonly QueuedWork<unknown>[]) => [await work!.run()],
        maxBatchSize: 1,
        groupOf: ({ card }) => card,
        maxConcurrentBatches: maxLockWaits(pool),
        maxWaitMs,
      }) as <Result>(work: QueuedWork<Result>) => Promise<Result>,
  );
  return async <Result>(
    /** Returns the database of the card, which moves with its organization. */
    locate: () => Database | Promise<Database>,
    reference: CardReference & { organizationId?: string | null | undefined },
    work: LockedWork<Result>,
  ): Promise<Result> => {
    const queue = queueOf(await locate());
    const run = () => retryTransaction(async () => withCardLock(await locate(), reference, work));
    return queue({ card: cardKeyOf(reference), run });
  };
}

const inMessageQueue = createLockQueue({ maxWaitMs: Infinity });

/**
 * Does work under the lock of a card, for which no network waits, after the work on this card that came before. Runs it again
 * after a deadlock, so it must touch nothing but the database.
 */
export async function inLockQueue<Result>(
  platform: Pick<Platform, "db" | "nodes">,
  reference: CardReference & { organizationId?: string | undefined },
  work: LockedWork<Result>,
): Promise<Result> {
  const { db, nodes } = platform;
  if (nodes === null) return inMessageQueue(() => db, reference, work);
  const organizationId = reference.organizationId ?? (await findCardOrganization(db, reference));
  const locate = () => (organizationId === undefined ? db : databaseOf(platform, organizationId));
  return inMessageQueue(locate, { ...reference, organizationId }, work);
}
