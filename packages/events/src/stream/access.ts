import { setTimeout as sleep } from "node:timers/promises";
import { Problem } from "@purser/core";
import { type Caller, type Platform, callerId, toProblem } from "@purser/platform";
import { type Visibility, findVisibility } from "../visibility.ts";

/** Who follows the events of an organization. */
export interface Follower {
  organizationId: string;
  caller: Caller;
  /** Returns the caller whose credential still holds, or throws UNAUTHENTICATED. */
  authenticate: () => Promise<Caller>;
}

type Parts = Pick<Platform, "db" | "clock"> & {
  /** Runs a check when there is room for it. */
  schedule: <Result>(work: () => Promise<Result>) => Promise<Result>;
};

/** How often access is checked while nothing happens. The promise is 10 s. */
const recheckMs = 8000;
/** How long a check holds for events that were read before it. */
const validMs = 1000;
/** The pause after a check that failed because the database is away. */
const retryMs = 500;

/** What a caller sees, and since when: the time of `performance.now()` at which the check began. */
interface Checked {
  visibility: Visibility;
  startedAt: number;
}

interface Check {
  /** When its look-up began. Infinity while it waits for its turn: it will be later than anything. */
  startedAt: number;
  checked: Promise<Checked | null>;
}

/**
 * What a caller may see of an organization, looked up again and again: role, membership and credential. The streams of the
 * caller share it.
 */
export class FollowerAccess {
  readonly #parts: Parts;
  readonly #follower: Follower;
  readonly #onLost: (problem: Problem) => void;
  #last: Check | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  /** Calls `onLost` once, when the caller has lost access. */
  constructor(parts: Parts, follower: Follower, onLost: (problem: Problem) => void) {
    this.#parts = parts;
    this.#follower = follower;
    this.#onLost = onLost;
    this.#recheckLater();
  }

  /**
   * Returns what the caller sees, by a check that began after this time of `performance.now()`, and recently. Null after
   * the caller has lost access.
   */
  check(since: number): Promise<Checked | null> {
    const last = this.#last;
    if (last && last.startedAt >= since && performance.now() - last.startedAt < validMs) return last.checked;
    clearTimeout(this.#timer);
    const next: Check = { startedAt: Infinity, checked: Promise.resolve(null) };
    next.checked = this.#run(next);
    this.#last = next;
    void this.#recheckAfter(next);
    return next.checked;
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  /** Not before a check has ended: while the database is away, it takes as long as that. */
  async #recheckAfter(check: Check): Promise<void> {
    await check.checked;
    if (this.#last === check) this.#recheckLater();
  }

  #recheckLater(): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => void this.check(performance.now()), recheckMs).unref();
  }

  async #run(check: Check): Promise<Checked | null> {
    while (!this.#isClosed) {
      try {
        return await this.#parts.schedule(async () => {
          check.startedAt = performance.now();
          return { visibility: await this.#look(), startedAt: check.startedAt };
        });
      } catch (error) {
        const problem = toProblem(error);
        if ([401, 403, 404].includes(problem.status)) {
          if (!this.#isClosed) this.#onLost(problem);
          return null;
        }
        check.startedAt = Infinity;
        // Until the database is back, no stream sends anything.
        await sleep(retryMs, undefined, { ref: false });
      }
    }
    return null;
  }

  async #look(): Promise<Visibility> {
    const { db, clock } = this.#parts;
    const { organizationId, caller: first, authenticate } = this.#follower;
    const caller = await authenticate();
    if (callerId(caller) !== callerId(first)) throw new Problem("UNAUTHENTICATED");
    return findVisibility(db, organizationId, caller, clock.now());
  }
}
