import { once } from "node:events";
import { type AddressInfo, type Server, type Socket, connect, createServer } from "node:net";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type { RandomSource } from "@purser/core";

/** A network fault that affects passing data. */
export const networkConditions = ["cut", "half-closed", "split", "delayed"] as const;
export type NetworkCondition = (typeof networkConditions)[number];

/** The longest delay. It exceeds the timeout of a card network. */
const longestDelayMs = 2200;

interface Pair {
  inner: Socket;
  outer: Socket;
}

/** A TCP proxy in front of a local server that injects network faults at random. */
export class FaultyProxy {
  readonly #server: Server;
  readonly #pairs = new Set<Pair>();
  readonly #random: RandomSource;
  #condition: NetworkCondition | null = null;
  /** The time at which all delayed data will have been forwarded. */
  #delayedUntil = 0;

  private constructor(target: () => number, random: RandomSource) {
    this.#random = random;
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (outer) =>
      this.#join(outer, target()),
    );
  }

  /** Listens on a free port. `target` returns the port to connect to, and is called per connection. */
  static async open(target: () => number, random: RandomSource): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(target, random);
    await once(proxy.#server.listen(0, "127.0.0.1"), "listening");
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Switches to this condition, or to none. Existing connections are affected at once. */
  setCondition(condition: NetworkCondition | null): void {
    this.#condition = condition;
    for (const pair of this.#pairs) {
      if (condition === "cut") cut(pair);
      if (condition === "half-closed") this.#random.pick([pair.inner, pair.outer]).end();
    }
  }

  /** Ends all faults. Resolves when no delayed data is left. */
  async clear(): Promise<void> {
    this.setCondition(null);
    await sleep(Math.max(0, this.#delayedUntil - performance.now()));
  }

  async close(): Promise<void> {
    for (const pair of this.#pairs) cut(pair);
    this.#server.close();
    await once(this.#server, "close");
  }

  #join(outer: Socket, port: number): void {
    const inner = connect({ host: "127.0.0.1", port, allowHalfOpen: true, noDelay: true });
    const pair = { inner, outer };
    this.#pairs.add(pair);
    for (const [from, to] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      from.on("data", (chunk: Buffer) => {
        from.pause();
        void this.#pass(chunk, to, pair).then(() => from.resume());
      });
      from.on("end", () => to.end());
      // Node closes a socket after an error. A reset tells the other side.
      from.on("error", () => cut(pair));
      from.on("close", () => {
        this.#pairs.delete(pair);
        if (!from.readableEnded) cut(pair);
      });
    }
  }

  async #pass(chunk: Buffer, to: Socket, pair: Pair): Promise<void> {
    const random = this.#random;
    switch (this.#condition) {
      case "cut":
        if (!random.happens(0.1)) return write(to, chunk);
        // Only the beginning of a message arrives, then nothing more.
        await write(to, chunk.subarray(0, random.whole(0, chunk.length)));
        return cut(pair);
      case "half-closed":
        await write(to, chunk);
        if (random.happens(0.1)) to.end();
        return;
      case "split":
        for (let start = 0; start < chunk.length;) {
          const length = random.whole(1, Math.max(4, Math.ceil(chunk.length / 8)));
          await write(to, chunk.subarray(start, start + length));
          await nextTurn();
          start += length;
        }
        return;
      case "delayed": {
        const ms = random.happens(0.02) ? longestDelayMs : random.whole(0, 15);
        this.#delayedUntil = Math.max(this.#delayedUntil, performance.now() + ms);
        await sleep(ms);
        return write(to, chunk);
      }
      case null:
        return write(to, chunk);
    }
  }
}

function cut({ inner, outer }: Pair): void {
  inner.destroy();
  outer.destroy();
}

async function write(to: Socket, chunk: Buffer): Promise<void> {
  if (!to.writable || to.write(chunk)) return;
  const done = new AbortController();
  await Promise.race(["drain", "close"].map((event) => once(to, event, { signal: done.signal }))).catch(
    () => undefined,
  );
  done.abort();
}
