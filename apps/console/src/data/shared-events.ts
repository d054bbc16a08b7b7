import { purser } from "./purser.ts";

interface Follower {
  signal: AbortSignal;
  onEvent: (type: string) => void;
  /** Events from the time without a connection may be missing. */
  onConnection: (isOpen: boolean) => void;
}

/** What the tab with the stream passes on, and what a new tab asks it. */
type Message =
  | { kind: "event"; type: string }
  | { kind: "connection"; isOpen: boolean }
  | { kind: "is the connection open?" };

/**
 * Follows the events of an organization. All tabs of a browser share one stream, since over HTTP/1.1 a browser has six
 * connections to a host: six tabs with a stream each would leave none for requests. The tab that holds the lock reads the
 * stream and passes each event on. When it is closed, the next tab reads one. Ends when `signal` is aborted, and throws
 * what ended the stream.
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
    // The stream of another tab has ended. Nobody knows what happens until this one begins.
    if (isOpen === true) pass({ kind: "connection", isOpen: false });
    const { signal } = follower;
    const onConnection = (value: boolean) => pass({ kind: "connection", isOpen: value });
    for await (const { type } of purser.events.stream({ organizationId }, { signal, onConnection }))
      pass({ kind: "event", type });
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
