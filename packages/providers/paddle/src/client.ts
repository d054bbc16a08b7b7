import { type Environment, LogLevel, Paddle } from "@paddle/paddle-node-sdk";
import { z } from "zod";
import { paddleError, parsePaddlePayload } from "./errors.ts";
import type { PaddleConfig } from "./settings.ts";
import type { CheckoutRequest, OrganizationClaim } from "@purser/billing/ports";

/** Makes one request and parses its response. Throws `BillingError` for any other response. */
export type PaddleCall = <T>(
  name: string,
  schema: z.ZodType<T>,
  request: (paddle: Paddle) => Promise<unknown>,
) => Promise<T>;

type ClientConfig = Pick<PaddleConfig, "apiKey" | "environment" | "baseUrl" | "timeoutMs">;

/**
 * Creates a Paddle client. Call the result once per operation of the port: its requests share one timeout, which an argument
 * replaces.
 */
export function paddleClient({
  apiKey,
  environment,
  baseUrl,
  timeoutMs = 7_000,
}: ClientConfig): (limitMs?: number) => PaddleCall {
  // The SDK treats an unknown environment as a base URL. Its types do not say so.
  const address: string = baseUrl?.replace(/\/+$/, "") ?? environment;
  const paddle = new Paddle(apiKey, {
    environment: address as unknown as Environment,
    logLevel: LogLevel.none,
    // Without the header, the account's default version applies.
    customHeaders: { "Paddle-Version": "1" },
  });
  return (limitMs = timeoutMs) => {
    const deadline = performance.now() + limitMs;
    return async (name, schema, request) => {
      const response = await inTime(deadline, () => request(paddle)).catch((error: unknown) => {
        throw paddleError(name, error);
      });
      return parsePaddlePayload(name, schema, response);
    };
  };
}

class TimedOut extends Error {}

/**
 * Waits for a request until the deadline. The SDK has no timeout and accepts no abort signal, so a request that takes
 * longer continues in the background and its result is dropped.
 */
async function inTime<T>(deadline: number, request: () => Promise<T>): Promise<T> {
  const left = deadline - performance.now();
  if (left <= 0) throw new TimedOut();
  const { promise: timedOut, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new TimedOut()), left);
  try {
    return await Promise.race([request(), timedOut]);
  } finally {
    clearTimeout(timer);
  }
}

/** The parameters of one page of a list. */
export interface PaddlePageOptions {
  perPage: number;
  after?: string;
}

/** A list of the SDK, which fetches a page on each `next()`. */
interface Pages {
  next(): Promise<unknown>;
  readonly hasMore: boolean;
}

/** Reads a list page by page, in Paddle's order, until it ends, has `maximum` items, or reaches an item that `isBeyond`. */
export async function listPaddlePages<T extends { id: string }>(
  call: PaddleCall,
  name: string,
  item: z.ZodType<T>,
  list: (paddle: Paddle, page: PaddlePageOptions) => Pages,
  { maximum = Number.POSITIVE_INFINITY, isBeyond = () => false }: ListLimits<T> = {},
): Promise<T[]> {
  const schema = z.object({ data: z.array(item), hasMore: z.boolean() });
  const items: T[] = [];
  for (;;) {
    const after = items.at(-1)?.id;
    const page = { perPage: Math.min(200, maximum - items.length), ...(after && { after }) };
    const { data, hasMore } = await call(name, schema, async (paddle) => {
      const pages = list(paddle, page);
      return { data: await pages.next(), hasMore: pages.hasMore };
    });
    const beyond = data.findIndex(isBeyond);
    items.push(...(beyond === -1 ? data : data.slice(0, beyond)));
    if (beyond !== -1 || !hasMore || data.length === 0 || items.length >= maximum) return items;
  }
}

interface ListLimits<T> {
  maximum?: number;
  isBeyond?: (item: T) => boolean;
}

// What many of Paddle's entities share: ids, times, and the custom data that names the organization.

export const PaddleId = z.string().min(1).max(255);

/** RFC 3339, to the microsecond and beyond. */
export const PaddleTime = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

/** Whether an id has the form of Paddle's ids. The SDK puts ids into request paths unescaped. */
export function isPaddleId(prefix: "ctm" | "pri" | "sub" | "txn", id: string): boolean {
  return id.startsWith(`${prefix}_`) && /^[a-z\d]{26}$/.test(id.slice(prefix.length + 1));
}

export function isPaddleSubscriptionId(subscriptionId: string): boolean {
  return isPaddleId("sub", subscriptionId);
}

const CustomData = z.object({
  purser_organization: z.string().min(1).max(255),
  purser_checkout: z.string().min(1).max(255),
});

/** The custom data of a transaction. The subscription inherits it. */
export function paddleCustomData({
  organizationId,
  checkoutId,
}: CheckoutRequest): z.infer<typeof CustomData> {
  return { purser_organization: organizationId, purser_checkout: checkoutId };
}

/**
 * Reads the organization from custom data. The token of Paddle.js is public: anyone with it can start a checkout and
 * write any organization into it. So the claim always names its checkout, which the caller looks up.
 */
export function paddleOrganizationClaim(customData: unknown): OrganizationClaim {
  const { data } = CustomData.safeParse(customData);
  if (data === undefined) return { organizationId: null };
  return { organizationId: data.purser_organization, checkoutId: data.purser_checkout };
}
