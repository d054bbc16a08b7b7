/** No connection became free in time: the pool is too small for the load. Transient; the caller may retry. */
export class PoolTimeoutError extends Error {
  override readonly name = "PoolTimeoutError";
  readonly code = "POOL_TIMEOUT";
}

/** The present use of a pool, and the waits since it was opened. */
export interface PoolUse {
  /** The largest number of connections. */
  readonly size: number;
  readonly inUse: number;
  /** The number of queries and transactions that wait for a connection. */
  readonly waiting: number;
  /** The number that waited and got a connection. */
  readonly granted: number;
  /** The number whose wait ended with a {@link PoolTimeoutError}. */
  readonly refused: number;
  /** The total wait of both, in milliseconds. */
  readonly waitedMs: number;
}

/** Limits the users of a pool's connections. Further users wait in order, up to a timeout. */
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

  /** Calls `granted` when a slot is free, or `refused` after the timeout. The caller must release a granted slot. */
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
