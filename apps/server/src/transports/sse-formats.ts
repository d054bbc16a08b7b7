import { type Problem, problemDocument } from "@purser/core";
import { type SseFormat, retryField } from "../http/event-stream.ts";

/** How soon a client reconnects whose connection breaks. In milliseconds. */
const reconnectMs = 1000;

/** All streams of an organization share the event, so it is written as JSON once. */
const json = memoized((value) => JSON.stringify(value));

/** The format of REST: `event` is the type of what happened. */
export function restFormat(toProblem: (error: unknown) => Problem, requestId: string): SseFormat {
  return {
    opening: (cursor) => `${retryField(reconnectMs)}id: ${cursor}\n: connected\n\n`,
    value: (id, value) => `event: ${typeOf(value)}\nid: ${id}\ndata: ${json(value)}\n\n`,
    heartbeat: (cursor) => `: heartbeat\nid: ${cursor}\n\n`,
    failure: (error) =>
      `event: error\ndata: ${JSON.stringify(problemDocument(toProblem(error), requestId))}\n\n`,
  };
}

/** The format that tRPC's `httpSubscriptionLink` reads. The serializer is that of the router. */
export function trpcFormat(serializer: Serializer, errorOf: (error: unknown) => object): SseFormat {
  return {
    opening: (cursor) => `${retryField(reconnectMs)}event: connected\nid: ${cursor}\ndata: ${connected}\n\n`,
    value: (id, value) => `id: ${id}\ndata: ${wire(serializer)(value)}\n\n`,
    heartbeat: (cursor) => `event: ping\nid: ${cursor}\ndata:\n\n`,
    failure: (error) =>
      `event: serialized-error\ndata: ${JSON.stringify(serializer.serialize(errorOf(error)))}\n\n`,
  };
}

/** tRPC's client opens another connection if it hears nothing for so long: three heartbeats. */
const connected = JSON.stringify({ reconnectAfterInactivityMs: 45_000 });

interface Serializer {
  serialize(value: unknown): unknown;
}

/** One memo per serializer; each router has one. */
const wires = new WeakMap<Serializer, (value: object) => string>();
function wire(serializer: Serializer): (value: object) => string {
  const known = wires.get(serializer) ?? memoized((value) => JSON.stringify(serializer.serialize(value)));
  wires.set(serializer, known);
  return known;
}

function memoized(write: (value: object) => string): (value: object) => string {
  const known = new WeakMap<object, string>();
  return (value) => {
    const text = known.get(value) ?? write(value);
    known.set(value, text);
    return text;
  };
}

/** An event's own type names it. Other values are plain messages. */
const typeOf = (value: object): string =>
  "type" in value && typeof value.type === "string" ? value.type : "message";
