import { encodeWire } from "@purser/core/wire";
import { baseUrlReader } from "./base-url.ts";
import { createQueryBatch } from "./query-batch.ts";
import { type CallReply, readEnvelope } from "./envelope.ts";
import { again } from "./failures.ts";
import { keyHeader } from "./idempotency-key.ts";
import type { PurserClientOptions, RequestHeaders } from "./options.ts";
import { createRequester } from "./request.ts";

export interface ClientCall {
  /** The procedure, such as `organizations.members.list`. */
  path: string;
  type: "query" | "mutation";
  input: unknown;
  signal: AbortSignal;
  /** How many attempts of this call have failed. */
  failures?: number | undefined;
  /** Returns the headers of the client for this attempt. */
  clientHeaders: () => Promise<Headers>;
  /** Set for a query that must not share its response. */
  isAlone?: boolean | undefined;
  headers?: RequestHeaders | undefined;
  /** Returns the idempotency key of a mutation. */
  keyOf?: ((clientHeaders: Headers) => string) | undefined;
}

/** A URL length that every proxy accepts. A longer query is sent by POST. */
const maxUrlLength = 4096;

/** Creates the function that sends a call once. It rejects with a `PurserError`, or with an error of the caller's own. */
export function createTransport(options: PurserClientOptions): (call: ClientCall) => Promise<CallReply> {
  const baseUrl = baseUrlReader(options.baseUrl);
  const send = createRequester(options);
  const sendInBatch = createQueryBatch(maxUrlLength, send);

  return async ({ path, type, input, signal, isAlone, headers, keyOf, ...call }) => {
    const url = `${baseUrl()}/trpc`;
    // Undefined without an input. Throws for an input that is not JSON.
    const json = JSON.stringify(encodeWire(input)) as string | undefined;
    const plain = `${url}/${path}`;
    const address = json ? `${plain}?input=${encodeURIComponent(json)}` : plain;
    const isShort = type === "query" && address.length <= maxUrlLength;
    try {
      const clientHeaders = await call.clientHeaders();
      // It would have no effect on a query, and the server refuses it for a batch of them.
      if (keyOf === undefined) clientHeaders.delete(keyHeader);
      if (isShort && !isAlone && headers === undefined && options.batch !== false) {
        return await sendInBatch({ ...call, url, path, address, json, signal, clientHeaders });
      }
      const all = new Headers(headers);
      if (keyOf !== undefined) all.set(keyHeader, keyOf(clientHeaders));
      const { body, ...response } = await send(
        isShort
          ? { method: "GET", url: address, headers: all, clientHeaders, signal }
          : { method: "POST", url: plain, body: json, headers: all, clientHeaders, signal },
      );
      return readEnvelope(body, response);
    } catch (error) {
      throw again(error);
    }
  };
}
