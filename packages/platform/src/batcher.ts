import { Problem } from "@purser/core";
import { isUnavailable, sqlState } from "@purser/db";

/** What is gathered, and how it is run. */
export interface BatcherOptions<Input, Output> {
  /**
   * Runs these together, and gives the outcome of each in their order. What it throws is the failure of whoever called,
   * and of nobody else; so where several are run together, it has no effect then.
   */
  run: (inputs: readonly Input[]) => Promise<readonly Output[]>;
  /** The largest number of inputs that are run together. */
  maxBatchSize: number;
  /** Only inputs of one group are run together, and of a group one batch at a time. Without it all are of one group. */
  groupOf?: (input: Input) => string;
  /** The largest number of batches at a time, each of a group of its own. Default 1. */
  maxConcurrentBatches?: number;
  /** How long an input may wait for its turn, in milliseconds. */
  maxWaitMs: number;
}

interface Call<Input, Output> {
  input: Input;
  group: string;
  since: number;
  resolve: (output: Output) => void;
  reject: (error: unknown) => void;
}

/**
 * Lets calls that arrive while earlier ones are busy wait, and then go together: what a database does for many at once
 * costs it far less than the same for each. A call that comes alone goes at once; nobody ever waits for company.
 *
 * Calls begin in the order in which they arrive, as far as their groups let them. Each gets its own outcome or failure:
 * a batch that fails is run again one by one, unless its failure is of the database and would be everybody's. What has
 * waited for too long is not begun any more, so that an overload does not have everything done too late: it fails with
 * UNAVAILABLE.
 */
export function createBatcher<Input, Output>(
  gathering: BatcherOptions<Input, Output>,
): (input: Input) => Promise<Output> {
  const { run, maxBatchSize, groupOf = () => "", maxConcurrentBatches = 1, maxWaitMs } = gathering;
  const waiting = new Set<Call<Input, Output>>();
  const running = new Set<string>();

  function begin(): void {
    while (running.size < maxConcurrentBatches) {
      const batch = nextBatch();
      const [first] = batch;
      if (first === undefined) return;
      running.add(first.group);
      void settle(batch).finally(() => {
        running.delete(first.group);
        begin();
      });
    }
  }

  /** The call that waits longest and may begin, and those that may go with it. */
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
      for (const [place, { resolve }] of batch.entries()) resolve(outputs[place]!);
    } catch (error) {
      const isOwn = batch.length === 1 || isEverybodys(error);
      for (const call of batch) {
        if (isOwn) call.reject(error);
        else await settle([call]);
      }
    }
  }

  return (input) =>
    new Promise((resolve, reject) => {
      waiting.add({ input, group: groupOf(input), since: performance.now(), resolve, reject });
      begin();
    });
}

/** A statement cancelled by its time limit, and a lock not had in time: alone they would take as long again. */
const timedOut = new Set(["57014", "55P03"]);

function isEverybodys(error: unknown): boolean {
  return isUnavailable(error) || timedOut.has(sqlState(error) ?? "");
}
