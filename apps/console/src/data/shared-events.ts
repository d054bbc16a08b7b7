import { isProblem } from "@purser/client";
import { purser } from "./purser.ts";
import { leaveToSignIn } from "./sign-in.ts";
import { hasUnsaved } from "./unsaved.ts";

interface Follower {
  signal: AbortSignal;
  onEvent: (type: string) => void;
  /** Events from the time without a connection may be missing. */
  onConnection: (isOpen: boolean) => void;
}

/** A connection that is not open by then begins again, and counts as lost. */
const connectMs = 10_000;
/** How long to wait at least after a failure that the client does not retry. */
const pauseMs = 5000;

/** What the tab with the stream passes on, and what a new tab asks it. */
type Message =
  | { kind: "event"; type: string }
  | { kind: "connection"; isOpen: boolean }
  | { kind: "is the connection open?" };

/**
 * Follows the events of an organization. All tabs of a browser share one stream, since over HTTP/1.1 a browser has six
 * connections to a host: six tabs with a stream each would leave none for requests. The tab that holds the lock reads the
 * stream and passes each event on. When it is closed, the next tab reads one. Ends when `signal` is aborted, and throws
 * when the person has no access any more.
 */
export async function followEvents(organizationId: string, follower: Follower): Promise<void> {
  const name = `purser.events.${organizationId}`;
  const channel = new BroadcastChannel(name);
  let isReading = false;
  let isOpen: boolean | undefined;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A channel reaches its own origin only.
  const send = (message: Message) => channel.postMessage(message);
  const receive = (message: Message) => {
    if (message.kind === "event") follower.onEvent(message.type);
    else if (message.kind === "connection") {
      isOpen = message.isOpen;
      follower.onConnection(isOpen);
    } else if (isReading && isOpen !== undefined) send({ kind: "connection", isOpen });
  };
  const pass = (message: Message) => {
    receive(message);
    send(message);
  };
  const readStream = async () => {
    isReading = true;
    // The stream of another tab has ended. Events are missed until this one begins.
    if (isOpen === true) pass({ kind: "connection", isOpen: false });
    const { signal } = follower;
    const onConnection = (value: boolean) => pass({ kind: "connection", isOpen: value });
    const options = { signal, onConnection, timeoutMs: connectMs };
    for (;;) {
      try {
        for await (const { type } of purser.events.stream({ organizationId }, options))
          pass({ kind: "event", type });
      } catch (error) {
        const isAwaited = isProblem(error, "UNAUTHENTICATED") && hasUnsaved();
        if (signal.aborted || (isEndOfAccess(error) && !isAwaited)) throw error;
        // The page stays, and its stream begins again when the person has signed in on another.
        if (isAwaited) void leaveToSignIn();
        // A bug of the service, or a break so long that the last event is forgotten. A new stream begins now, and the
        // followers know that events are missing.
        if (isOpen !== false) pass({ kind: "connection", isOpen: false });
        await pause(error, signal);
      }
    }
  };
  channel.addEventListener("message", ({ data }: MessageEvent<Message>) => receive(data));
  send({ kind: "is the connection open?" });
  try {
    // Browsers have locks at localhost and over HTTPS only. Elsewhere each tab reads a stream of its own.
    if (navigator.locks === undefined) await readStream();
    else await navigator.locks.request(name, { signal: follower.signal }, readStream);
  } finally {
    channel.close();
  }
}

/** Signed out elsewhere, or no longer a member. */
const isEndOfAccess = (error: unknown): boolean =>
  isProblem(error, "UNAUTHENTICATED", "FORBIDDEN", "ORGANIZATION_NOT_FOUND");

/** Waits as long as the service asks, or until the signal is aborted. Many pages fail at the same moment. */
function pause(error: unknown, signal: AbortSignal): Promise<void> {
  const askedMs = isProblem(error) ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
  const waitMs = Math.max(askedMs, pauseMs * (1 + Math.random()));
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, waitMs);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
