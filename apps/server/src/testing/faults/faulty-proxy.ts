import { once } from "node:events";
import { type AddressInfo, type Server, type Socket, connect, createServer } from "node:net";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type { RandomSource } from "@purser/core";

/** A network fault that affects passing data. */
export const networkConditions = ["cut", "half-closed", "split", "delayed"] as const;
export type NetworkCondition = (typeof networkConditions)[number];

/** The longest delay. It exceeds the timeout of a card network. */
const longestDelayMs = 2200;
/** TCP repeats what was swallowed more and more rarely, so a connection passes again some time after the network. */
const longestRepeatMs = 5000;
/** When the server notices that a connection is gone: the keep-alive of a careful operator. */
const keepAliveMs = 20_000;

interface Pair {
  inner: Socket;
  outer: Socket;
  /** The address that the client connected to. */
  host: string;
  /** Settles when a black hole has released the connection. */
  passes: Promise<void>;
  /** Whether the network has forgotten it for good. */
  isGone: boolean;
}

/** A TCP proxy in front of a local server that injects network faults at random. */
export class FaultyProxy {
  readonly #servers: Server[] = [];
  readonly #pairs = new Set<Pair>();
  readonly #random: RandomSource;
  readonly #target: () => number;
  #condition: NetworkCondition | null = null;
  /** What the connections of each silent address wait for. */
  readonly #silences = new Map<string, PromiseWithResolvers<void>>();
  /** The time at which all delayed data will have been forwarded. */
  #delayedUntil = 0;

  private constructor(target: () => number, random: RandomSource) {
    this.#target = target;
    this.#random = random;
  }

  /**
   * Listens on a free port of each address. `target` returns the port to connect to, and is called per connection.
   */
  static async open(
    target: () => number,
    random: RandomSource,
    hosts: readonly string[] = ["127.0.0.1"],
  ): Promise<FaultyProxy> {
    for (;;) {
      const proxy = new FaultyProxy(target, random);
      try {
        for (const host of hosts) await proxy.#listen(host);
        return proxy;
      } catch (error) {
        // The port that the system chose for the first address is taken on another one.
        await proxy.close();
        if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
      }
    }
  }

  get port(): number {
    return (this.#servers[0]!.address() as AddressInfo).port;
  }

  /** Whether traffic passes at random, so that one connection shows nothing about another. */
  get isUnsteady(): boolean {
    return this.#condition !== null || performance.now() < this.#delayedUntil;
  }

  /** Switches to this condition, or to none. Existing connections are affected at once. */
  setCondition(condition: NetworkCondition | null): void {
    this.#condition = condition;
    for (const pair of this.#pairs) {
      if (condition === "cut") cut(pair);
      if (condition === "half-closed") this.#random.pick([pair.inner, pair.outer]).end();
    }
  }

  /** Ends all conditions. Resolves when no delayed data is left. */
  async clear(): Promise<void> {
    this.setCondition(null);
    await sleep(Math.max(0, this.#delayedUntil - performance.now()));
  }

  /** Swallows all packets from and to this address, ends and new connections included, until `restore`. */
  silence(host: string): void {
    const silence = Promise.withResolvers<void>();
    this.#silences.set(host, silence);
    for (const pair of this.#pairs) if (pair.host === host && !pair.isGone) pair.passes = silence.promise;
  }

  /**
   * Lets the address pass again. Its connections are either back, and TCP repeats what was swallowed, or gone: the network
   * has forgotten them, and only new connections pass.
   */
  restore(host: string, fate: "back" | "gone"): void {
    const silence = this.#silences.get(host);
    this.#silences.delete(host);
    for (const pair of this.#pairs) {
      if (pair.passes !== silence?.promise) continue;
      if (fate === "gone") {
        pair.isGone = true;
        pair.passes = new Promise(() => undefined);
        setTimeout(() => cut(pair), keepAliveMs).unref();
      } else pair.passes = sleep(this.#random.whole(0, longestRepeatMs), undefined, { ref: false });
    }
    silence?.resolve();
  }

  async close(): Promise<void> {
    for (const pair of this.#pairs) cut(pair);
    const listening = this.#servers.filter((server) => server.listening);
    await Promise.all(listening.map((server) => once(server.close(), "close")));
  }

  async #listen(host: string): Promise<void> {
    const server = createServer({ allowHalfOpen: true, noDelay: true }, (outer) => this.#join(outer, host));
    const port = this.#servers.length === 0 ? 0 : this.port;
    this.#servers.push(server);
    await once(server.listen(port, host), "listening");
  }

  #join(outer: Socket, host: string): void {
    const inner = connect({ host: "127.0.0.1", port: this.#target(), allowHalfOpen: true, noDelay: true });
    const passes = this.#silences.get(host)?.promise ?? Promise.resolve();
    const pair: Pair = { inner, outer, host, passes, isGone: false };
    this.#pairs.add(pair);
    for (const [from, to] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      from.on("data", (chunk: Buffer) => {
        from.pause();
        void passable(pair)
          .then(() => this.#pass(chunk, to, pair))
          .then(() => from.resume());
      });
      from.on("end", () => void passable(pair).then(() => to.end()));
      // A close follows.
      from.on("error", () => undefined);
      // A reset must reach the other side.
      const close = (isBroken: boolean) => {
        if (isBroken || !from.readableEnded) cut(pair);
        // The other side may stay open for long: an idle client does not notice an end.
        if (inner.destroyed && outer.destroyed) this.#pairs.delete(pair);
      };
      from.on("close", (isBroken) => void passable(pair).then(() => close(isBroken)));
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

/** Resolves when the connection passes data: another black hole may follow the first. */
async function passable(pair: Pair): Promise<void> {
  for (let passes; passes !== pair.passes;) {
    ({ passes } = pair);
    await passes;
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
