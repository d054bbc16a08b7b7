import { decodeWire, encodeWire } from "@purser/core/wire";
import { readBaseUrl } from "./base-url.ts";
import { readEnvelope } from "./envelope.ts";
import { PurserError } from "./error.ts";
import { again, networkFailure, unexpectedResponse } from "./failures.ts";
import type { PurserClientOptions, StreamOptions } from "./options.ts";
import type { Renewal } from "./renewal.ts";
import { createSender, parse, responseInfo } from "./request.ts";
import { isTransient, waitForRetry } from "./retry.ts";
import { endOf, followSignals, withTimeLimit } from "./time-limit.ts";

interface StreamCall {
  /** The name of the procedure. */
  path: string;
  input: unknown;
  options: PurserClientOptions;
  renewal: Renewal;
  /** The options of this call. */
  own: StreamOptions;
  /** Aborted without a reason when the caller leaves the stream. */
  leaving: AbortController;
}

/** One message of Server-Sent Events. */
interface Message {
  id?: string;
  event?: string;
  data?: string;
  retry?: string;
}

/** The server sends something every 15 seconds. After three times as much, the connection is dead. */
const silenceMs = 45_000;
const longestDelayMs = 30_000;
/** A day. A timer of more than 24 of them would fire at once. */
const longestRetryAfterMs = 24 * 60 * 60 * 1000;

/** Yields the values of a subscription. It connects again until the server refuses, or the caller leaves. */
export async function* streamValues(call: StreamCall): AsyncGenerator<unknown, void, undefined> {
  const { own, options, leaving } = call;
  const { signal } = leaving;
  const release = followSignals([own.signal, options.signal], leaving);
  const report = createReport(own.onConnection);
  try {
    // The functions of the caller run here, where no error of theirs is taken for a lost connection.
    for await (const message of followMessages(call)) {
      report(message !== "lost");
      // Who hears of the connection may end it at once.
      if (message === "lost" || signal.aborted) continue;
      const { id, event, data } = message;
      if (!event && data) yield decodeWire(parse(data));
      // Only now has the caller handled the value.
      if (id) await own.onCursor?.(id);
    }
  } finally {
    release();
    // Ends the connection if the caller has left the loop.
    leaving.abort();
  }
}

/** Yields the messages of one connection after the other, and when one is lost. */
async function* followMessages(call: StreamCall): AsyncGenerator<Message | "lost", void, undefined> {
  const { signal } = call.leaving;
  const retries = call.own.retries ?? Infinity;
  let lastEventId: string | undefined;
  let failures = 0;
  let retryMs = 1000;
  for (;;) {
    let afterMs = 0;
    let isOpen = false;
    let hasWorked = false;
    try {
      signal.throwIfAborted();
      const response = await connect(call, lastEventId, signal);
      isOpen = true;
      for await (const message of readMessages(response, signal)) {
        const { id, event, data, retry } = message;
        if (retry) retryMs = Number(retry);
        if (event === "serialized-error") readEnvelope({ error: parse(data!) }, responseInfo(response));
        // A server that opens a connection and then fails has not worked.
        if (event !== "connected") {
          hasWorked = true;
          failures = 0;
        }
        if (id) lastEventId = id;
        yield message;
      }
      signal.throwIfAborted();
      // Headers alone are no stream: a proxy that buffers sends them, and keeps the messages.
      if (!hasWorked) throw networkFailure(undefined);
    } catch (error) {
      if (signal.aborted) {
        // To leave is no error.
        if (signal.reason instanceof PurserError) throw endOf(signal);
        return;
      }
      failures += 1;
      // The next attempt gets 401 before anything else, and may renew the credential.
      const isExpired = isOpen && error instanceof PurserError && error.status === 401;
      if (failures > retries || !(isExpired || isTransient(error))) throw again(error);
      afterMs = Math.min((error.retryAfterSeconds ?? 0) * 1000, longestRetryAfterMs);
    }
    yield "lost";
    // Jitter, because many clients lose their server at the same moment. `retry` already has it.
    const backoff = Math.min(longestDelayMs, 250 * 2 ** failures) * (0.5 + Math.random() / 2);
    await waitForRetry(afterMs + Math.max(retryMs, backoff), signal);
  }
}

/** Passes on each change of the connection, so several failed attempts in a row are one loss. */
function createReport(onConnection: StreamOptions["onConnection"]) {
  let reported: boolean | undefined;
  return (isOpen: boolean) => {
    if (isOpen !== reported) onConnection?.(isOpen);
    reported = isOpen;
  };
}

/** Opens a connection that continues after this id, with a renewed credential if necessary. */
function connect(
  { path, input, options, renewal, own }: StreamCall,
  lastEventId: string | undefined,
  signal: AbortSignal,
): Promise<Response> {
  const send = createSender(options);
  const continued = lastEventId === undefined ? input : { ...(input as object), lastEventId };
  const query = `input=${encodeURIComponent(JSON.stringify(encodeWire(continued)))}`;
  const url = `${readBaseUrl(options.baseUrl)}/trpc/${path}?${query}`;
  const headers = new Headers(own.headers);
  headers.set("accept", "text/event-stream");
  const timeoutMs = own.timeoutMs ?? options.timeoutMs ?? 30_000;
  // After the headers, the time limit is over, and `readMessages` ends the connection.
  return withTimeLimit(timeoutMs, [signal], (limited) =>
    renewal.run(
      async (headersOfAttempt) => {
        const clientHeaders = await headersOfAttempt();
        const response = await send({ method: "GET", url, headers, clientHeaders, signal: limited });
        if (response.ok && response.headers.get("content-type")?.startsWith("text/event-stream"))
          return response;
        const text = await response.text().catch(() => "");
        readEnvelope(parse(text), responseInfo(response));
        throw unexpectedResponse(responseInfo(response));
      },
      { headers: own.headers, signal: limited },
    ),
  );
}

/** Yields the complete messages of a response. An incomplete one at its end never happened. */
async function* readMessages(response: Response, signal: AbortSignal): AsyncGenerator<Message> {
  const reader = response.body!.getReader();
  const cancel = () => void reader.cancel().catch(() => {});
  signal.addEventListener("abort", cancel, { once: true });
  const decoder = new TextDecoder();
  let text = "";
  // It may have been aborted since the headers arrived.
  if (signal.aborted) cancel();
  try {
    for (;;) {
      const timer = setTimeout(cancel, silenceMs);
      const { done, value } = await reader.read().finally(() => clearTimeout(timer));
      if (done) return;
      const messages = (text + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/);
      text = messages.pop()!;
      for (const message of messages) {
        if (signal.aborted) return;
        yield readFields(message);
      }
    }
  } catch (cause) {
    throw networkFailure(cause);
  } finally {
    signal.removeEventListener("abort", cancel);
    cancel();
  }
}

/** Our server writes each field on one line. */
function readFields(message: string): Message {
  return Object.fromEntries(
    message.split(/\r?\n/).map((line) => line.split(/: ?(.*)/s, 2) as [string, string]),
  );
}
