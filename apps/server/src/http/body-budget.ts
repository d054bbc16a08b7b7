import { Problem } from "@purser/core";

/** What a body is for. Each has a share of the memory that the others cannot take. */
export type BodyPurpose = "requests" | "webhooks" | "cards";

/**
 * Each purpose's share, in quarters. Card issuers' webhooks ask for decisions, so they have their own. Anyone can send to
 * any address, so no address may use another's share.
 */
const quarters: Readonly<Record<BodyPurpose, number>> = { requests: 2, webhooks: 1, cards: 1 };

/**
 * A body up to this size always fits, so no flood of large bodies keeps a small request out. The limit of connections
 * bounds the memory of these. A request for a decision is about 8 KiB.
 */
export const freeBodyBytes = 16 * 1024;

/** The memory of one body. */
export interface BodyLease {
  /** Takes memory for a body of this many bytes in all. Throws UNAVAILABLE if there is none left. */
  extendTo(bytes: number): void;
  /** Gives the memory back. It can be called twice. */
  release(): void;
}

/** Limits the memory of all bodies that are being received or handled, over the whole process. */
export class BodyBudget {
  readonly #limit: number;
  readonly #used: Record<BodyPurpose, number> = { requests: 0, webhooks: 0, cards: 0 };
  readonly #refused: () => void;

  constructor(bytes: number, refused: () => void) {
    this.#limit = bytes;
    this.#refused = refused;
  }

  /** The bytes in use. Bodies that always fit do not count. */
  get used(): Readonly<Record<BodyPurpose, number>> {
    return this.#used;
  }

  open(purpose: BodyPurpose): BodyLease {
    const limit = (this.#limit * quarters[purpose]) / 4;
    let held = 0;
    return {
      extendTo: (bytes) => {
        if (bytes <= freeBodyBytes || bytes <= held) return;
        const more = bytes - held;
        if (this.#used[purpose] + more > limit) {
          this.#refused();
          throw new Problem("UNAVAILABLE", {
            detail: "The service is receiving too many large bodies. Try again in a moment.",
            retryAfterSeconds: 1,
          });
        }
        this.#used[purpose] += more;
        held = bytes;
      },
      release: () => {
        this.#used[purpose] -= held;
        held = 0;
      },
    };
  }
}
