export const seconds = Number(process.env["BENCH_SECONDS"] ?? 4);

/** The throughput and latency of one target under load. */
export interface Figure {
  requestsPerSecond: number;
  /** Milliseconds. */
  p50: number;
  /** Milliseconds. */
  p99: number;
}

/** Calls a function in this process, with `atOnce` calls at a time. */
export async function measureCalls(call: () => Promise<unknown>, atOnce = 20): Promise<Figure> {
  const samples: number[] = [];
  const until = performance.now() + seconds * 1000;
  const worker = async () => {
    while (performance.now() < until) {
      const start = performance.now();
      await call();
      samples.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  samples.sort((one, other) => one - other);
  const at = (share: number) => samples[Math.floor(samples.length * share)] ?? 0;
  return { requestsPerSecond: samples.length / seconds, p50: at(0.5), p99: at(0.99) };
}

/** Measures one of these calls whenever the parent process sends its name, and sends the figure back. */
export function offerCalls(calls: Record<string, () => Promise<unknown>>): void {
  process.on("message", (name: string) => {
    void measureCalls(calls[name]!).then((figure) => process.send!(figure));
  });
}
