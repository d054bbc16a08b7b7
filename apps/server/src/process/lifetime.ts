type Close = () => unknown;

/** A signal came while the process was still starting. */
export class Interrupted extends Error {
  override name = "Interrupted";
}

/** A terminal sends Ctrl-C to a whole group and a package manager passes it on: the same press may come twice. */
const samePressMs = 300;
/** Longer than every orderly way to stop takes. Whoever waits for us would kill us after 10 seconds. */
const timeoutMs = 9500;
const hurryMs = 1500;

/** From the first signal on: what is open, in which order it is closed, and for how long that may take. */
export class Lifetime {
  readonly #closers: Close[] = [];
  readonly #end = Promise.withResolvers<void>();
  #endingSince: number | null = null;
  readonly #hurries: Close[] = [];

  /** Resolves when the process is asked to end. */
  readonly ended = this.#end.promise;

  constructor() {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => this.end());
  }

  get isEnding(): boolean {
    return this.#endingSince !== null;
  }

  /** Names what has to be closed; the last one opened is the first one closed. */
  closeLater(close: Close): void {
    this.#closers.push(close);
    if (this.isEnding) throw new Interrupted("Stopped while starting");
  }

  /** What a second Ctrl-C does instead of the orderly way: what would otherwise be left behind. */
  onHurry(hurry: Close): void {
    this.#hurries.push(hurry);
  }

  /** Begins the end; asked once more, it is quicker about it. */
  end(): void {
    const now = performance.now();
    if (this.#endingSince === null) {
      this.#endingSince = now;
      this.#end.resolve();
      setTimeout(() => process.exit(1), timeoutMs).unref();
    } else if (now - this.#endingSince > samePressMs) {
      setTimeout(() => process.exit(130), hurryMs);
      void Promise.allSettled(this.#hurries.map((hurry) => hurry())).then(() => process.exit(130));
    }
  }

  /** Closes everything that was opened. What fails to close does not keep the rest open. */
  async close(): Promise<void> {
    for (const close of this.#closers.toReversed()) {
      try {
        await close();
      } catch (error) {
        process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      }
    }
    this.#closers.length = 0;
  }
}
