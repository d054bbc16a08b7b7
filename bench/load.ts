import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import autocannon from "autocannon";

const seconds = Number(process.env["BENCH_SECONDS"] ?? 4);

/** What one target answered under load. */
export interface Figure {
  requestsPerSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
}

interface Request {
  url: string;
  headers?: Record<string, string>;
}

/** A server in a process of its own, so that it has a core to itself. */
export interface Target {
  baseUrl: string;
  stop(): Promise<void>;
}

/** Starts a module that sends `{ baseUrl }` when it listens. */
export async function startTarget(module: string, environment: Record<string, string>): Promise<Target> {
  const child: ChildProcess = fork(module, {
    env: { ...process.env, NODE_ENV: "production", ...environment },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const [message] = (await once(child, "message")) as [{ baseUrl: string }];
  return {
    baseUrl: message.baseUrl,
    async stop() {
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}

/**
 * Posts to one address with so many connections, another body each time. Every answer must be a success with a body
 * like this, or the figure would be of errors.
 */
export async function measurePosts(
  url: string,
  next: () => { body: string; headers: Record<string, string> },
  { atOnce, expected }: { atOnce: number; expected: string },
): Promise<Figure> {
  const run = (duration: number) =>
    autocannon({
      url,
      connections: atOnce,
      duration,
      method: "POST",
      requests: [
        {
          setupRequest: (request) => ({
            ...request,
            ...next(),
          }),
        },
      ],
      verifyBody: (body) => body === expected,
    });
  await run(1);
  const result = await run(seconds);
  if (result.non2xx + result.errors + result.mismatches > 0) {
    throw new Error(
      `${url}: ${result.non2xx} refusals, ${result.errors} errors, ${result.mismatches} other answers`,
    );
  }
  const { p50, p99 } = result.latency;
  return { requestsPerSecond: result.requests.average, p50, p99 };
}

/** Asks for one address with 20 connections. Every answer must be a success, or the figure would be of errors. */
export async function measure({ url, headers = {} }: Request): Promise<Figure> {
  const run = (duration: number) => autocannon({ url, headers, connections: 20, duration });
  await run(1);
  const result = await run(seconds);
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${url}: ${result.non2xx} refusals and ${result.errors} errors`);
  }
  return {
    requestsPerSecond: result.requests.average,
    p50: result.latency.p50,
    p99: result.latency.p99,
  };
}

/** Calls without a transport, so many at a time. */
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

/**
 * Takes every figure of a table once in each round, and gives the best of the rounds: noise only ever slows down,
 * and what is compared meets the same noise.
 */
export async function bestOf(rounds: number, takes: (() => Promise<Figure>)[]): Promise<Figure[]> {
  const best: Figure[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, take] of takes.entries()) {
      const figure = await take();
      const before = best[index];
      if (!before || figure.requestsPerSecond > before.requestsPerSecond) best[index] = figure;
    }
  }
  return best;
}
