import { Problem } from "@purser/core";
import { type Database, isNodeAway, isUnavailable, sqlState } from "@purser/db";

export interface BatcherOptions<Input, Output> {
  /**
   * Runs a batch and returns one output per input, in order. If it throws for a batch of several inputs, the batch must
   * have had no effect: each input then runs alone, and only the failing one rejects.
   */
  run: (inputs: readonly Input[]) => Promise<readonly Output[]>;
  /** The largest number of inputs in a batch. */
  maxBatchSize: number;
  /** A batch contains inputs of one group, and a group runs one batch at a time. Default: one group for all. */
  groupOf?: (input: Input) => unknown;
  /** The largest number of concurrent batches, each of another group. Default 1. */
  maxConcurrentBatches?: number;
  /** How long an input may wait for its batch to start, in milliseconds. */
  maxWaitMs: number;
}

interface Call<Input, Output> {
  input: Input;
  group: unknown;
  since: number;
  resolve: (output: Output) => void;
  reject: (error: unknown) => void;
}

/**
 * Collects the calls that arrive while a batch runs, and runs them as the next batch. One statement for many rows costs
 * the database far less than one per row. A call that arrives while nothing runs starts at once: there is no delay.
 *
 * Calls start in order of arrival, within the limits of their groups. Each call gets its own output or error. A failed
 * batch runs again one call at a time, unless the database itself failed, and not only a node of its cluster. A call that has
 * waited longer than `maxWaitMs` does not start: it fails with UNAVAILABLE, which sheds load instead of answering everything
 * too late.
 *
 * @example
 * const insert = createBatcher({ run: insertRows, maxBatchSize: 100, maxWaitMs: 1000 });
 * const row = await insert(input);
 */
export function createBatcher<Input, Output>(
  options: BatcherOptions<Input, Output>,
): (input: Input) => Promise<Output> {
  const { run, maxBatchSize, groupOf = () => "", maxConcurrentBatches = 1, maxWaitMs } = options;
  const waiting = new Set<Call<Input, Output>>();
  const running = new Set<unknown>();

  function startBatches(): void {
    while (running.size < maxConcurrentBatches) {
      const batch = nextBatch();
      const [first] = batch;
      if (first === undefined) return;
      running.add(first.group);
      void settle(batch).finally(() => {
        running.delete(first.group);
        startBatches();
      });
    }
  }

  /** The oldest call whose group is free, and the calls that fit into its batch. */
  function nextBatch(): Call<Input, Output>[] {
    const batch: Call<Input, Output>[] = [];
    const tooLate = performance.now() - maxWaitMs;
    for (const call of waiting) {
      if (batch.length === maxBatchSize) break;
      if (call.since < tooLate) {
        waiting.delete(call);
        call.reject(new Problem("UNAVAILABLE", { retryAfterSeconds: 1 }));
      } else if (batch.length === 0 ? !running.has(call.group) : call.group === batch[0]!.group) {
        waiting.delete(call);
        batch.push(call);
      }
    }
    return batch;
  }

  async function settle(batch: Call<Input, Output>[]): Promise<void> {
    try {
      const outputs = await run(batch.map(({ input }) => input));
      for (const [index, { resolve }] of batch.entries()) resolve(outputs[index]!);
    } catch (error) {
      const isFinal = batch.length === 1 || failsForAll(error);
      for (const call of batch) {
        if (isFinal) call.reject(error);
        else await settle([call]);
      }
    }
  }

  return (input) =>
    new Promise((resolve, reject) => {
      waiting.add({ input, group: groupOf(input), since: performance.now(), resolve, reject });
      startBatches();
    });
}

/**
 * Creates a value for each pool of connections when it is first needed. A process has several: those of its parts, and those
 * of the nodes of a cluster, which the shards of a node share.
 *
 * @example
 * const options = { maxBatchSize: 100, maxWaitMs: 1000 };
 * const insertIn = perPool(() => createBatcher({ ...options, run: insertRows }));
 * const row = await insertIn(db)({ db, values });
 */
export function perPool<Value>(
  create: (pool: Database["use"]) => Value,
): (db: Pick<Database, "use">) => Value {
  const values = new WeakMap<Database["use"], { value: Value }>();
  return ({ use: pool }) => {
    const known = values.get(pool) ?? { value: create(pool) };
    values.set(pool, known);
    return known.value;
  };
}

/** Statement timeout and lock timeout: a single call would take as long again. */
const timedOut = new Set(["57014", "55P03"]);

/** Whether the error would be the same for each call alone. */
function failsForAll(error: unknown): boolean {
  return (isUnavailable(error) && !isNodeAway(error)) || timedOut.has(sqlState(error) ?? "");
}
