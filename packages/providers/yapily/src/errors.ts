import { BankError, type BankErrorKind } from "@purser/banking/ports";
import { type Clock, errorText } from "@purser/core";
import { retryAfter } from "@purser/platform/providers";
import type { Schemas } from "./api.ts";

/** The error kind per HTTP status. A status without one is an outage. */
export type ErrorKinds = Readonly<Record<number, BankErrorKind>>;

const defaultKinds: ErrorKinds = { 429: "rate_limited", 501: "not_supported" };

/** An unsuccessful response. */
export class YapilyError extends BankError {
  /** The HTTP status; that of the bank's refusal if Yapily passes one on. */
  readonly status: number;

  constructor(kind: BankErrorKind, status: number, message: string, options: { retryAfterSeconds?: number }) {
    super(kind, message, options);
    this.status = status;
  }
}

/** Translates an unsuccessful response. `call` must not hold ids or tokens, because operators read it. */
export function yapilyRefusal(
  call: string,
  response: Response,
  body: unknown,
  errorKinds: ErrorKinds,
  clock: Clock,
): YapilyError {
  const error = errorOf(body);
  const status = response.status === 424 ? statusAtBank(error) : response.status;
  const kind = errorKinds[status] ?? defaultKinds[status] ?? "outage";
  const message = `Yapily, ${call}: ${response.status}${details(error)}`;
  const options = retryAfter(response.headers.get("retry-after"), clock);
  return new YapilyError(kind, status, message, options);
}

/**
 * The status of a refusal by the bank, which Yapily passes on as 424 Failed Dependency. Banks answer 400 for a consent or an
 * account that they do not find, which `status` tells apart. See https://docs.yapily.com/resources/errors.
 */
function statusAtBank({ status, institutionError }: ReturnType<typeof errorOf>): number {
  if (status === "NOT_FOUND") return 404;
  const { httpStatusCode = 424 } = institutionError ?? {};
  return httpStatusCode >= 400 && httpStatusCode < 500 ? httpStatusCode : 424;
}

/** Translates a missing response: network failure, timeout, or a truncated response. */
export function unreachableError(call: string, cause: unknown): BankError {
  const { name, cause: reason } = cause as { name?: string; cause?: { code?: string } };
  // A parser's message quotes the text, which can hold a token.
  if (cause instanceof SyntaxError) return unreadableError(call, "not JSON");
  const why = name === "TimeoutError" ? "no response in time" : (reason?.code ?? name ?? "no connection");
  return new BankError("outage", `Yapily, ${call}: ${why}`, { cause });
}

/** A response without required data. It must not be taken for an empty one. */
export function unreadableError(call: string, what: string): BankError {
  return new BankError("outage", `Yapily, ${call}: the response is invalid (${what})`);
}

function errorOf(body: unknown): NonNullable<Schemas["ApiResponseError"]["error"]> {
  const { error } = (typeof body === "object" && body !== null ? body : {}) as Schemas["ApiResponseError"];
  return typeof error === "object" && error !== null ? error : {};
}

/** Quotes each field of the error only if it has the documented form. The message is redacted: it can quote our request. */
function details({ status, source, tracingId, message }: ReturnType<typeof errorOf>): string {
  const identifier = /^[A-Z_]{1,40}$/;
  return [
    identifier.test(status ?? "") ? ` ${status}` : "",
    identifier.test(source ?? "") ? ` from ${source}` : "",
    /^[\da-f]{8,40}$/.test(tracingId ?? "") ? `, tracing id ${tracingId}` : "",
    typeof message === "string" ? `: ${errorText(message)}` : "",
  ].join("");
}
