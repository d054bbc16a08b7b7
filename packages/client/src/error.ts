import type { AuthErrorCode } from "./generated/auth-error-code.ts";
import type { ProblemCode, ProblemStatus } from "./generated/problem-code.ts";

/** The code of a {@link PurserError}. A later server may send others than the known ones. */
export type PurserErrorCode = ProblemCode | AuthErrorCode | ClientErrorCode | (string & Record<never, never>);

/**
 * The codes of the client itself:
 *
 * - `NETWORK_FAILURE`: no complete response arrived. A mutation may or may not have taken effect. Repeating it with the
 *   same idempotency key is safe.
 * - `ABORTED`: the call's signal was aborted. `cause` is the signal's reason.
 * - `TIMEOUT`: the call took longer than its `timeoutMs`. The same holds as for `NETWORK_FAILURE`.
 * - `UNEXPECTED_RESPONSE`: the response is not from Purser but, for example, from a proxy. `status` is its HTTP status.
 */
export type ClientErrorCode = "NETWORK_FAILURE" | "ABORTED" | "TIMEOUT" | "UNEXPECTED_RESPONSE";

/** One invalid field of an input. */
export interface Issue {
  /** The path to the field, for example `["policy", "spendingLimit"]`. Empty for the whole input. */
  path: (string | number)[];
  /** The violated rule, for example `too_small`. */
  code: string;
  /** A sentence for people. */
  message: string;
}

/** A problem document of the server (RFC 9457). */
export interface ProblemDocument {
  type: string;
  title: string;
  status: number;
  detail: string;
  /** What went wrong. A newer server may send codes that are not listed here, so handle a default. */
  code: PurserErrorCode;
  requestId: string;
  /** Whether the same request may succeed later, unchanged. */
  retryable: boolean;
  /** What the caller can do about it. */
  help?: string;
  issues?: Issue[];
  /** A page where a person can solve the problem, for example the bank's. */
  link?: string;
}

interface ErrorDetails {
  status?: number | undefined;
  issues?: readonly Issue[] | undefined;
  requestId?: string | undefined;
  retryAfterSeconds?: number | undefined;
  retryable?: boolean | undefined;
  help?: string | undefined;
  link?: string | undefined;
  cause?: unknown;
}

/**
 * The error that the methods of a client reject with. `message` is a sentence for people, and names the first invalid fields of
 * an input. {@link isProblem} tells errors apart.
 */
export class PurserError extends Error {
  static {
    this.prototype.name = "PurserError";
  }

  // Only declared, because the constructor sets them all: defined fields would be in a bundle twice.
  /** What went wrong. A newer server may send codes that are not listed here, so handle a default. */
  declare readonly code: PurserErrorCode;
  /** The HTTP status of the code; 0 without a response. */
  declare readonly status: number;
  /** The invalid fields for `VALIDATION_FAILED`; otherwise empty. */
  declare readonly issues: readonly Issue[];
  /** Identifies the request in the server's log. Include it in support requests. */
  declare readonly requestId: string | undefined;
  /** The number of seconds after which the server asks to try again. */
  declare readonly retryAfterSeconds: number | undefined;
  /** Whether the same call may succeed later. The client has repeated it as often as its options allow. */
  declare readonly retryable: boolean;
  /** What you can do about it, as a sentence for developers. */
  declare readonly help: string | undefined;
  /** A page where a person can solve the problem, for example a bank's page for a new consent. */
  declare readonly link: string | undefined;

  constructor(code: PurserErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details);
    this.code = code;
    this.status = details.status ?? 0;
    this.issues = details.issues ?? [];
    this.requestId = details.requestId;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.retryable = details.retryable ?? false;
    this.help = details.help;
    this.link = details.link;
  }
}

/**
 * Whether an error is a {@link PurserError}, with one of these codes if there are any. It narrows the error to them.
 *
 * ```ts
 * try {
 *   await purser.cards.updateStatus({ organizationId, cardId, status: "ACTIVE" });
 * } catch (error) {
 *   if (isProblem(error, "CARD_CLOSED", "CARD_NOT_FOUND")) return null;
 *   throw error;
 * }
 * ```
 */
export function isProblem<Code extends PurserErrorCode = PurserErrorCode>(
  error: unknown,
  ...codes: Code[]
): error is PurserProblem<Code> {
  // By name, because an app may load this package twice, as a module and by require().
  if (!(error instanceof Error) || error.name !== PurserError.prototype.name) return false;
  return codes.length === 0 || codes.some((code) => code === (error as PurserError).code);
}

/** A {@link PurserError} with one of these codes. */
export type PurserProblem<Code extends PurserErrorCode> = Code extends unknown ? CodedError<Code> : never;

interface CodedError<Code extends PurserErrorCode> extends PurserError {
  readonly code: Code;
  readonly status: number & StatusOf<Code>;
}

type StatusOf<Code> = Code extends ProblemCode
  ? ProblemStatus[Code]
  : Code extends "NETWORK_FAILURE" | "ABORTED" | "TIMEOUT"
    ? 0
    : number;
