import { once } from "node:events";
import { type AddressInfo, type Server, type Socket, connect, createServer } from "node:net";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type { RandomSource } from "@purser/core";

/** A network fault that affects passing data. */
export const weathers = ["cut", "half-closed", "split", "delayed"] as const;
export type NetworkCondition = (typeof weathers)[number];

/** The longest delay. It exceeds the timeout of a card network. */
const longestDelayMs = 2200;

interface Pair {
  inner: Socket;
  outer: Socket;
}

/** A TCP proxy in front of a local server that injects faults at random. */
export class TcpProxy {
  readonly #server: Server;
  readonly #pairs = new Set<Pair>();
  readonly #chance: RandomSource;
  #weather: NetworkCondition | null = null;
  /** The time at which all delayed data will have been forwarded. */
  #delayedUntil = 0;

  private constructor(target: () => number, chance: RandomSource) {
    this.#chance = chance;
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (outer) =>
      this.#join(outer, target()),
    );
  }

  /** Listens on a free port. `target` returns the port to connect to, and is called per connection. */
  static async open(target: () => number, chance: RandomSource): Promise<TcpProxy> {
    const proxy = new TcpProxy(target, chance);
    await once(proxy.#server.listen(0, "127.0.0.1"), "listening");
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Switches to this condition, or to none. Existing connections are affected at once. */
  turn(weather: NetworkCondition | null): void {
    this.#weather = weather;
    for (const pair of this.#pairs) {
      if (weather === "cut") cut(pair);
      if (weather === "half-closed") this.#chance.pick([pair.inner, pair.outer]).end();
    }
  }

  /** Ends all faults. Resolves when no delayed data is left. */
  async clear(): Promise<void> {
    this.turn(null);
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
    const chance = this.#chance;
    switch (this.#weather) {
      case "cut":
        if (!chance.happens(0.1)) return write(to, chunk);
        // Only the beginning of a message arrives, then nothing more.
        await write(to, chunk.subarray(0, chance.whole(0, chunk.length)));
        return cut(pair);
      case "half-closed":
        await write(to, chunk);
        if (chance.happens(0.1)) to.end();
        return;
      case "split":
        for (let start = 0; start < chunk.length;) {
          const length = chance.whole(1, Math.max(4, Math.ceil(chunk.length / 8)));
          await write(to, chunk.subarray(start, start + length));
          await nextTurn();
          start += length;
        }
        return;
      case "delayed": {
        const ms = chance.happens(0.02) ? longestDelayMs : chance.whole(0, 15);
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
