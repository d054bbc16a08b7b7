import { type Environment, LogLevel, Paddle } from "@paddle/paddle-node-sdk";
import { z } from "zod";
import { paddleError, readable } from "./errors.ts";
import type { PaddleConfig } from "./settings.ts";

/** Makes one request and reads its answer. Throws `BillingError` for every answer that is not what was asked for. */
export type PaddleCall = <T>(
  name: string,
  answer: z.ZodType<T>,
  request: (paddle: Paddle) => Promise<unknown>,
) => Promise<T>;

type ClientConfig = Pick<PaddleConfig, "apiKey" | "environment" | "baseUrl" | "timeoutMs">;

/** Connects to Paddle. Gives what begins a call of the port: all that is asked with one `Ask` shares its time. */
export function paddleClient({
  apiKey,
  environment,
  baseUrl,
  timeoutMs = 7_000,
}: ClientConfig): () => PaddleCall {
  // What is no name of an environment, the SDK takes for an address; its types do not tell.
  const address: string = baseUrl?.replace(/\/+$/, "") ?? environment;
  const paddle = new Paddle(apiKey, {
    environment: address as unknown as Environment,
    logLevel: LogLevel.none,
    // Otherwise it is the version that somebody chose for the account.
    customHeaders: { "Paddle-Version": "1" },
  });
  return () => {
    const deadline = performance.now() + timeoutMs;
    return async (name, answer, request) => {
      const given = await inTime(deadline, () => request(paddle)).catch((error: unknown) => {
        throw paddleError(name, error);
      });
      return readable(name, answer, given);
    };
  };
}

class TimeIsUp extends Error {}

/**
 * Waits for a request until the deadline. The SDK has no time limit and takes no signal: what takes longer goes on by
 * itself, and nobody hears what comes of it.
 */
async function inTime<T>(deadline: number, request: () => Promise<T>): Promise<T> {
  const left = deadline - performance.now();
  if (left <= 0) throw new TimeIsUp();
  const { promise: timeIsUp, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new TimeIsUp()), left);
  try {
    return await Promise.race([request(), timeIsUp]);
  } finally {
    clearTimeout(timer);
  }
}

/** How a list is asked for one of its pages. */
export interface PaddlePageOptions {
  perPage: number;
  after?: string;
}

/** A list of the SDK's, which reads a page when it is asked for the next one. */
interface Pages {
  next(): Promise<unknown>;
  readonly hasMore: boolean;
}

/** Reads a list page by page, in Paddle's order, until it ends, there are `most`, or an item `isBeyond` is reached. */
export async function listPaddlePages<T extends { id: string }>(
  call: PaddleCall,
  name: string,
  item: z.ZodType<T>,
  list: (paddle: Paddle, page: PaddlePageOptions) => Pages,
  { most = Number.POSITIVE_INFINITY, isBeyond = () => false }: ListLimits<T> = {},
): Promise<T[]> {
  const answer = z.object({ data: z.array(item), hasMore: z.boolean() });
  const items: T[] = [];
  for (;;) {
    const after = items.at(-1)?.id;
    const page = { perPage: Math.min(200, most - items.length), ...(after && { after }) };
    const { data, hasMore } = await call(name, answer, async (paddle) => {
      const pages = list(paddle, page);
      return { data: await pages.next(), hasMore: pages.hasMore };
    });
    const beyond = data.findIndex(isBeyond);
    items.push(...(beyond === -1 ? data : data.slice(0, beyond)));
    if (beyond !== -1 || !hasMore || data.length === 0 || items.length >= most) return items;
  }
}

interface ListLimits<T> {
  most?: number;
  isBeyond?: (item: T) => boolean;
}
