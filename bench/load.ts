import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import autocannon, { type Result } from "autocannon";
import { type BuildPlugin, bundle } from "../apps/server/bundle.ts";
import { type Figure, roundSeconds } from "./calls.ts";

interface Request {
  url: string;
  headers?: Record<string, string>;
  /** Sent with POST. Without it, the request is a GET. */
  body?: string;
}

/** A server in its own process, so that it does not share a thread with the load. */
export interface Target {
  baseUrl: string;
  pid: number;
  /** Measures one of the calls that the target offers with `offerCalls`, inside its process. */
  measureCall(name: string): Promise<Figure>;
  stop(): Promise<void>;
}

/**
 * Builds a module as the service is built for production, and starts it. The module sends `{ baseUrl }` to its parent
 * process when it listens.
 *
 * @param module The path of the module, relative to this folder.
 * @param stdout "ignore" for a target that logs every request.
 * @param plugins Change modules as they are loaded.
 */
export async function startTarget(
  module: string,
  environment: Record<string, string>,
  stdout: "inherit" | "ignore" = "inherit",
  plugins: BuildPlugin[] = [],
): Promise<Target> {
  const folder = await mkdtemp(join(tmpdir(), "purser-bench-"));
  await bundle({ target: join(import.meta.dirname, module) }, folder, plugins);
  const target = await forkTarget(join(folder, "target.js"), environment, stdout);
  return {
    ...target,
    async stop() {
      await target.stop();
      await rm(folder, { recursive: true });
    },
  };
}

/** Starts a script as {@link startTarget} starts a module, without building it. */
export async function forkTarget(
  script: string,
  environment: Record<string, string>,
  stdout: "inherit" | "ignore" = "inherit",
): Promise<Target> {
  const child: ChildProcess = fork(script, {
    env: { ...process.env, NODE_ENV: "production", ...environment },
    stdio: ["ignore", stdout, "inherit", "ipc"],
  });
  const ended = once(child, "exit");
  const [message] = (await Promise.race([once(child, "message"), ended])) as [{ baseUrl: string } | number];
  if (typeof message !== "object") throw new Error(`${script} ended with ${message} before it listened`);
  return {
    baseUrl: message.baseUrl,
    pid: child.pid!,
    async measureCall(name) {
      child.send(name);
      const [figure] = (await once(child, "message")) as [Figure];
      return figure;
    },
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

interface PostOptions {
  atOnce: number;
  /** The body of every response. */
  expected?: string;
}

/**
 * Sends requests to one URL over `atOnce` connections for a round, with a new body each time. Throws unless every response is a
 * success, with the expected body if there is one, because otherwise the figure would be the rate of errors.
 */
export async function measurePosts(
  url: string,
  next: () => { body: string; headers: Record<string, string> },
  { atOnce, expected }: PostOptions,
): Promise<Figure> {
  const run = (duration: number) =>
    autocannon({
      url,
      connections: atOnce,
      duration,
      method: "POST",
      requests: [
        {
          setupRequest: (prepared) => ({
            ...prepared,
            ...next(),
          }),
        },
      ],
      verifyBody: (body) => expected === undefined || body === expected,
    });
  const { non2xx, errors, mismatches, ...result } = await runRound(url, run);
  if (non2xx + errors + mismatches > 0)
    throw new Error(`${url}: ${non2xx} error statuses, ${errors} failures, ${mismatches} unexpected bodies`);
  return figureOf(result);
}

/** The targets whose code is compiled by now. */
const warm = new Set<string>();

async function runRound(url: string, run: (duration: number) => Promise<Result>): Promise<Result> {
  if (!warm.has(url)) await run(2);
  warm.add(url);
  return run(roundSeconds);
}

// autocannon's own rate is that of whole seconds.
const figureOf = ({
  requests,
  duration,
  latency,
}: Pick<Result, "requests" | "duration" | "latency">): Figure => ({
  requestsPerSecond: requests.total / duration,
  p50: latency.p50,
  p99: latency.p99,
});

/** Connections that send blocks of requests. */
export interface Sender {
  /** Returns the seconds that a number of requests took. */
  send(count: number): Promise<number>;
  close(): void;
}

/**
 * Opens connections that send blocks of requests, for measurements that alternate between targets many times a second.
 * Throws unless every response is a success, with the expected body if there is one.
 */
export function openSender(
  url: string,
  next: () => { body?: string | undefined; headers: Record<string, string> },
  { atOnce, expected, method = "POST" }: PostOptions & { method?: "GET" | "POST" | "PATCH" },
): Sender {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const send = async () => {
    const { body, headers } = next();
    const sent = request(url, { agent, method, headers });
    sent.end(body);
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    const received = await text(response);
    const isSuccess = response.statusCode! < 300 && (expected === undefined || received === expected);
    if (!isSuccess) throw new Error(`${url}: status ${response.statusCode}, ${received}`);
  };
  return {
    async send(count) {
      let left = count;
      const start = performance.now();
      const lane = async () => {
        for (; left > 0;) {
          left -= 1;
          await send();
        }
      };
      await Promise.all(Array.from({ length: atOnce }, lane));
      return (performance.now() - start) / 1000;
    },
    close: () => agent.destroy(),
  };
}

/** Sends one request over 20 connections for a round. Throws unless every response is a success. */
export async function measure({ url, headers = {}, body }: Request): Promise<Figure> {
  const post = body !== undefined && {
    method: "POST" as const,
    body,
    headers: { "content-type": "application/json", ...headers },
  };
  const run = (duration: number) => autocannon({ url, headers, connections: 20, duration, ...post });
  const { non2xx, errors, ...result } = await runRound(url, run);
  if (non2xx > 0 || errors > 0) throw new Error(`${url}: ${non2xx} error statuses and ${errors} failures`);
  return figureOf(result);
}

/** Measures every row once in each round, and returns the figures of each row. */
export async function inRounds(rounds: number, measurements: (() => Promise<Figure>)[]): Promise<Figure[][]> {
  const figures: Figure[][] = measurements.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, measurement] of measurements.entries()) figures[index]!.push(await measurement());
  }
  return figures;
}

/** Returns the best figure of each row. Noise only slows down. */
export async function bestOf(rounds: number, measurements: (() => Promise<Figure>)[]): Promise<Figure[]> {
  const fastest = (one: Figure, other: Figure) =>
    other.requestsPerSecond > one.requestsPerSecond ? other : one;
  return (await inRounds(rounds, measurements)).map((figures) => figures.reduce(fastest));
}
