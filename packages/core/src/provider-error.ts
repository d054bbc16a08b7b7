/** What an adapter knows about a failure beyond its kind. */
export interface ProviderErrorOptions {
  cause?: unknown;
  /** The pause before a retry, if the provider names one. */
  retryAfterSeconds?: number | undefined;
  /** Whether the provider has stored this response, and may repeat it for as long as it remembers the idempotency key. */
  isStoredAtProvider?: boolean;
}

/** A failure at a provider. The message is for operators; callers see the problem that the kind maps to. */
export abstract class ProviderError<Kind extends string> extends Error {
  readonly kind: Kind;
  readonly retryAfterSeconds: number | undefined;
  readonly isStoredAtProvider: boolean;

  constructor(kind: Kind, message: string, options: ProviderErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.kind = kind;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.isStoredAtProvider = options.isStoredAtProvider ?? false;
  }

  /** Whether something thrown is an error of this class, and of one of these kinds if any is named. */
  static is<Failure extends ProviderError<string>>(
    this: abstract new (...args: never[]) => Failure,
    error: unknown,
    ...kinds: Failure["kind"][]
  ): error is Failure {
    return error instanceof this && (kinds.length === 0 || kinds.includes(error.kind));
  }
}
