/** No connection became free in time: the service is busier than its pool. Transient; the caller may try again. */
export class PoolTimeoutError extends Error {
  override readonly name = "PoolTimeoutError";
  readonly code = "POOL_TIMEOUT";
}

/** How a pool's connections are used just now, and what was waited for them since it was opened. */
export interface PoolUse {
  /** The most connections that there are at once. */
  readonly size: number;
  readonly inUse: number;
  /** How many queries and transactions wait for a connection. */
  readonly waiting: number;
  /** How many have waited, and got one. */
  readonly granted: number;
  /** How many have waited for nothing: {@link PoolTimeoutError}. */
  readonly refused: number;
  /** For how long both of them have waited, together. */
  readonly waitedMs: number;
}

/** Counts the users of a pool's connections, and lets the next ones wait in order, but not for long. */
export class Slots implements PoolUse {
  readonly size: number;
  readonly #waiting = new Set<() => void>();
  readonly #waitMs: number;
  #free: number;
  #granted = 0;
  #refused = 0;
  #waitedMs = 0;

  constructor(count: number, waitMs: number) {
    this.size = count;
    this.#free = count;
    this.#waitMs = waitMs;
  }

  get inUse(): number {
    return this.size - this.#free;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  get granted(): number {
    return this.#granted;
  }

  get refused(): number {
    return this.#refused;
  }

  get waitedMs(): number {
    return this.#waitedMs;
  }

  /** Calls one of the two: at once while a slot is free, otherwise later. What was granted has to be released. */
  take(granted: () => void, refused: (error: PoolTimeoutError) => void): void {
    if (this.#free > 0) {
      this.#free--;
      granted();
      return;
    }
    const since = performance.now();
    const proceed = () => {
      clearTimeout(timer);
      this.#granted++;
      this.#waitedMs += performance.now() - since;
      granted();
    };
    const timer = setTimeout(() => {
      this.#waiting.delete(proceed);
      this.#refused++;
      this.#waitedMs += performance.now() - since;
      refused(new PoolTimeoutError(`no database connection became free within ${this.#waitMs} ms`));
    }, this.#waitMs);
    this.#waiting.add(proceed);
  }

  release(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free++;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
