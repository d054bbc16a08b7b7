import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Records the largest heap, each time after `prepare`. The returned function gives it in MiB above the start. */
export function watchHeap(intervalMs: number, prepare = () => {}) {
  const used = () => {
    prepare();
    return process.memoryUsage().heapUsed / 2 ** 20;
  };
  const start = used();
  let largest = start;
  const timer = setInterval(() => (largest = Math.max(largest, used())), intervalMs);
  return {
    stop() {
      clearInterval(timer);
      return largest - start;
    },
  };
}

/** Returns the collector of garbage, which a process has only if it asks for it. */
export function collectGarbage(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
}
