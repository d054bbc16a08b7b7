import type { ProblemCode } from "./generated/problem-code.ts";

/**
 * What went wrong: a code of the server, or one of the client's own.
 *
 * - `NETWORK_FAILURE`: no whole answer came. Whether a mutation had its effect is not known; repeating it with the
 *   same idempotency key is safe.
 * - `ABORTED`: the call's signal ended it; `cause` is the signal's reason.
 * - `UNEXPECTED_RESPONSE`: something answered that is not Purser, such as a proxy; `status` is its HTTP status.
 */
export type PurserErrorCode = ProblemCode | "NETWORK_FAILURE" | "ABORTED" | "UNEXPECTED_RESPONSE";

/** One thing wrong with an input: where, which rule, and a sentence. */
export interface Issue {
  path: (string | number)[];
  code: string;
  message: string;
}

/** A problem as the server tells it (RFC 9457). */
export interface ProblemDocument {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ProblemCode;
  requestId: string;
  issues?: Issue[];
  /** Where a person can put it right, for example a bank's page. */
  link?: string;
}

interface Particulars {
  status?: number | undefined;
  issues?: readonly Issue[] | undefined;
  requestId?: string | undefined;
  retryAfterSeconds?: number | undefined;
  link?: string | undefined;
  cause?: unknown;
}

/** The one error that the methods of a client reject with. `message` is a sentence for people. */
export class PurserError extends Error {
  static {
    this.prototype.name = "PurserError";
  }

  /** What went wrong. A later server may know further codes, so leave room for a default. */
  readonly code: PurserErrorCode;
  /** The HTTP status that belongs to the code; 0 when no answer came. */
  readonly status: number;
  /** What is wrong with the input, for `VALIDATION_FAILED`; otherwise empty. */
  readonly issues: readonly Issue[];
  /** By this the server's operator finds the request in the logs. */
  readonly requestId: string | undefined;
  /** When the server says to try again, in seconds from its answer. */
  readonly retryAfterSeconds: number | undefined;
  /** Where a person can put it right, for example the page of a bank that asks for consent again. */
  readonly link: string | undefined;

  constructor(code: PurserErrorCode, message: string, particulars: Particulars = {}) {
    super(message, "cause" in particulars ? { cause: particulars.cause } : {});
    this.code = code;
    this.status = particulars.status ?? 0;
    this.issues = particulars.issues ?? [];
    this.requestId = particulars.requestId;
    this.retryAfterSeconds = particulars.retryAfterSeconds;
    this.link = particulars.link;
  }
}
