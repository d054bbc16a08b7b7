import { setTimeout as pause } from "node:timers/promises";
import { Problem } from "@purser/core";
import { findAccess } from "@purser/organizations";
import { type Caller, type Platform, callerId, toProblem } from "@purser/platform";
import { type Visibility, visibilityOf } from "../visibility.ts";

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

interface Check {
  startedAt: number;
  visibility: Promise<Visibility | null>;
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
  visibility(since: number): Promise<Visibility | null> {
    const now = performance.now();
    if (this.#last && this.#last.startedAt >= since && now - this.#last.startedAt < validMs)
      return this.#last.visibility;
    this.#last = { startedAt: now, visibility: this.#check() };
    this.#recheckLater();
    return this.#last.visibility;
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #recheckLater(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.visibility(performance.now()), recheckMs).unref();
  }

  async #check(): Promise<Visibility | null> {
    while (!this.#isClosed) {
      try {
        return await this.#parts.schedule(() => this.#look());
      } catch (error) {
        const problem = toProblem(error);
        if ([401, 403, 404].includes(problem.status)) {
          if (!this.#isClosed) this.#onLost(problem);
          return null;
        }
        // Until the database is back, nobody learns anything.
        await pause(retryMs, undefined, { ref: false });
      }
    }
    return null;
  }

  async #look(): Promise<Visibility> {
    const { db, clock } = this.#parts;
    const { organizationId, caller: first, authenticate } = this.#follower;
    const caller = await authenticate();
    if (callerId(caller) !== callerId(first)) throw new Problem("UNAUTHENTICATED");
    const access = await findAccess(db, organizationId, caller, clock.now());
    if (access === undefined) throw new Problem("ORGANIZATION_NOT_FOUND");
    return visibilityOf(db, caller, access);
  }
}
