type Close = () => unknown;

/** A signal arrived while the process was starting. */
export class StartInterrupted extends Error {
  override name = "StartInterrupted";
}

/** One Ctrl-C may arrive twice, from the terminal and from the package manager. */
const samePressMs = 300;
/** Longer than any orderly shutdown without a delay. Process managers kill after 10 seconds. */
const timeoutMs = 9500;
const hurryMs = 1500;
/** How long the process may take to end by itself once everything is closed. */
const lingerMs = 250;

/** The shutdown of the process: what to close, in which order, and how long it may take. */
export class Lifetime {
  readonly #closers: Close[] = [];
  readonly #end = Promise.withResolvers<void>();
  #endingSince: number | null = null;
  #timeout: NodeJS.Timeout | undefined;
  readonly #hurries: Close[] = [];
  #delayMs = 0;

  /** Resolves when the shutdown begins. */
  readonly ended = this.#end.promise;

  constructor() {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => this.end());
  }

  get isEnding(): boolean {
    return this.#endingSince !== null;
  }

  /** Registers something to close. The last one registered is closed first. */
  closeLater(close: Close): void {
    this.#closers.push(close);
    if (this.isEnding) throw new StartInterrupted("Stopped while starting");
  }

  /** Registers what a second Ctrl-C still does, instead of the orderly shutdown. */
  onHurry(hurry: Close): void {
    this.#hurries.push(hurry);
  }

  /** How long the shutdown waits before it closes anything. */
  get delayMs(): number {
    return this.#delayMs;
  }

  /** Delays the shutdown from now on. One that has begun keeps its time: no request has reached the process yet. */
  delayBy(ms: number): void {
    if (!this.isEnding) this.#delayMs = ms;
  }

  /** Begins the shutdown. A second call ends the process quickly. */
  end(): void {
    const now = performance.now();
    if (this.#endingSince === null) {
      this.#endingSince = now;
      this.#end.resolve();
      this.#limit();
    } else if (now - this.#endingSince > samePressMs) {
      setTimeout(() => process.exit(130), hurryMs);
      void Promise.allSettled(this.#hurries.map((hurry) => hurry())).then(() => process.exit(130));
    }
  }

  /**
   * Closes everything in order. A failure does not keep the rest open. The process then ends, even if a library left a
   * connection behind: the job runner does so if it fails while it starts.
   */
  async close(): Promise<void> {
    this.#limit();
    for (const close of this.#closers.toReversed()) {
      try {
        await close();
      } catch (error) {
        process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      }
    }
    this.#closers.length = 0;
    // Everything is closed. Only libraries may have left something open, which is no failure.
    clearTimeout(this.#timeout);
    setTimeout(() => process.exit(), lingerMs).unref();
  }

  /** Ends the process as failed if closing everything takes too long. */
  #limit(): void {
    const exit = () => process.exit(process.exitCode ?? 1);
    this.#timeout ??= setTimeout(exit, this.#delayMs + timeoutMs).unref();
  }
}
