/** No connection became free in time: the service is busier than its pool. Transient; the caller may try again. */
export class PoolTimeoutError extends Error {
  override readonly name = "PoolTimeoutError";
  readonly code = "POOL_TIMEOUT";
}

/** Counts the users of a pool's connections, and lets the next ones wait in order, but not for long. */
export class Slots {
  readonly #waiting = new Set<() => void>();
  readonly #waitMs: number;
  #free: number;

  constructor(count: number, waitMs: number) {
    this.#free = count;
    this.#waitMs = waitMs;
  }

  /** Calls one of the two: at once while a slot is free, otherwise later. What was granted has to be released. */
  take(granted: () => void, refused: (error: PoolTimeoutError) => void): void {
    if (this.#free > 0) {
      this.#free--;
      granted();
      return;
    }
    const proceed = () => {
      clearTimeout(timer);
      granted();
    };
    const timer = setTimeout(() => {
      this.#waiting.delete(proceed);
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
