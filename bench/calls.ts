export const seconds = Number(process.env["BENCH_SECONDS"] ?? 4);

/** How long one of several rounds takes. Many short ones meet the same noise, as the speed of a machine changes within seconds. */
export const roundSeconds = seconds / 4;

/** The throughput and latency of one target under load. */
export interface Figure {
  requestsPerSecond: number;
  /** Milliseconds. */
  p50: number;
  /** Milliseconds. */
  p99: number;
}

/** Calls a function in this process for a round, with `atOnce` calls at a time. */
export async function measureCalls(call: () => Promise<unknown>, atOnce = 20): Promise<Figure> {
  const samples: number[] = [];
  const until = performance.now() + roundSeconds * 1000;
  const worker = async () => {
    while (performance.now() < until) {
      const start = performance.now();
      await call();
      samples.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  const at = percentiles(samples);
  return { requestsPerSecond: samples.length / roundSeconds, p50: at(0.5), p99: at(0.99) };
}

/** Gives the value below which a share of the samples lies; 1 gives the largest. 0 without samples. */
export function percentiles(samples: readonly number[]): (share: number) => number {
  const sorted = samples.toSorted((one, other) => one - other);
  return (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Measures one of these calls whenever the parent process sends its name, and sends the figure back. */
export function offerCalls(calls: Record<string, () => Promise<unknown>>): void {
  process.on("message", (name: string) => {
    void measureCalls(calls[name]!).then((figure) => process.send!(figure));
  });
}
