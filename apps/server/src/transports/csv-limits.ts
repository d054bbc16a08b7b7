import { Problem } from "@purser/core";
import { createConcurrencyLimit } from "@purser/platform";

/** How many files a process writes at a time. Each holds up to about four pages in memory. */
const maxFiles = 16;
/** How many of them are of one organization. */
export const maxFilesPerOrganization = 4;
/** How many pages the database writes at a time. The rest of the pool is for other requests. */
const concurrentPages = 2;
const retrySeconds = 5;

/** The place of one file among those that the process writes. */
interface FilePlace {
  /** Takes the place, once. Throws RATE_LIMITED or UNAVAILABLE if there are too many files. */
  take(organizationId: string): void;
  release(): void;
}

/** Limits the files that are written at the same time, so that neither many nor slow readers take up a process. */
export class CsvLimits {
  readonly #ofOrganizations = new Map<string, number>();
  readonly #limit = createConcurrencyLimit(concurrentPages);
  #files = 0;

  /** Runs the reading of a page when it is its turn. A slow reader takes no turn. */
  schedule<Result>(read: () => Promise<Result>): Promise<Result> {
    return this.#limit("", read);
  }

  place(): FilePlace {
    let taken: string | undefined;
    return {
      take: (organizationId) => {
        if (taken !== undefined) return;
        this.#take(organizationId);
        taken = organizationId;
      },
      release: () => {
        if (taken !== undefined) this.#release(taken);
        taken = undefined;
      },
    };
  }

  #take(organizationId: string): void {
    const open = this.#ofOrganizations.get(organizationId) ?? 0;
    if (open >= maxFilesPerOrganization)
      throw new Problem("RATE_LIMITED", {
        detail: `${maxFilesPerOrganization} CSV files of this organization are being written. Wait for one to end.`,
        retryAfterSeconds: retrySeconds,
      });
    if (this.#files >= maxFiles)
      throw new Problem("UNAVAILABLE", {
        detail: "Too many CSV files are being written. Try again in a moment.",
        retryAfterSeconds: retrySeconds,
      });
    this.#ofOrganizations.set(organizationId, open + 1);
    this.#files += 1;
  }

  #release(organizationId: string): void {
    const open = this.#ofOrganizations.get(organizationId)! - 1;
    if (open === 0) this.#ofOrganizations.delete(organizationId);
    else this.#ofOrganizations.set(organizationId, open);
    this.#files -= 1;
  }
}
