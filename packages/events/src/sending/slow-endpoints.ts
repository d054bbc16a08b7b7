/** An endpoint is slow if an attempt takes this long, whatever its answer. */
export const slowAttemptMs = 2000;
/** An endpoint that mixes quick answers with slow ones stays slow in between. */
const rememberedMs = 5 * 60_000;

/**
 * The endpoints at which an attempt of this process took long lately. Kept in memory: what another process or an earlier one
 * knew is learned again by one attempt.
 */
export class SlowEndpoints {
  /** In the order in which they are forgotten. */
  readonly #until = new Map<string, number>();

  /** Notes how long an attempt at an endpoint took. */
  note(id: string, durationMs: number): void {
    if (durationMs < slowAttemptMs) return;
    this.#until.delete(id);
    this.#until.set(id, performance.now() + rememberedMs);
  }

  has(id: string): boolean {
    return (this.#until.get(id) ?? 0) > performance.now();
  }

  /** Returns all of them, and forgets the others. */
  ids(): string[] {
    const now = performance.now();
    for (const [id, until] of this.#until) {
      if (until > now) break;
      this.#until.delete(id);
    }
    return [...this.#until.keys()];
  }
}
