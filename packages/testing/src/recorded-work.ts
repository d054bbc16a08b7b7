import { createHook } from "node:async_hooks";
import type { Tracer } from "@purser/platform";

/** What the process did, in order. */
export interface RecordedWork {
  /** The texts of the statements. Jobs are statements too. */
  statements: string[];
  /** The number of password hashes. */
  hashes: number;
}

/**
 * Records what the process does, on a service that is opened with its tracer. Two requests that do the same work take
 * the same time, so a caller cannot distinguish them.
 *
 * @example
 * const recorder = recordWork();
 * const purser = await createTestPurser({ tracer: recorder.tracer });
 * const { statements } = await recorder.measure(() => purser.as(owner).organizations.list({}));
 */
export function recordWork(): {
  tracer: Tracer;
  measure(run: () => Promise<unknown>): Promise<RecordedWork>;
  stop(): void;
} {
  let work: RecordedWork = { statements: [], hashes: 0 };
  const hook = createHook({
    init(_id, type) {
      if (type === "SCRYPTREQUEST") work.hashes += 1;
    },
  }).enable();
  return {
    tracer: {
      statement(text) {
        work.statements.push(text.replaceAll(/\s+/g, " ").trim());
        return () => undefined;
      },
      transaction: (run) => run(),
      job: (_name, run) => run(),
    },
    async measure(run) {
      work = { statements: [], hashes: 0 };
      await run();
      return work;
    },
    stop: () => void hook.disable(),
  };
}
