import { type Clock, errorText } from "@purser/core";
import { retryAfter } from "@purser/platform/providers";
import { BankError, type BankErrorKind } from "@purser/banking/ports";
import type { Schemas } from "./api.ts";

/** What certain statuses of a call stand for. All others are {@link ordinary}, and what is not there is an outage. */
export type ErrorKinds = Readonly<Record<number, BankErrorKind>>;

const ordinary: ErrorKinds = { 429: "rate_limited", 501: "not_supported" };

/** An answer of Yapily that is no success. */
export class YapilyError extends BankError {
  /** The HTTP status. */
  readonly status: number;

  constructor(kind: BankErrorKind, status: number, message: string, options: { retryAfterSeconds?: number }) {
    super(kind, message, options);
    this.status = status;
  }
}

/** What an unsuccessful answer means. `call` names the call for operators, without ids or tokens. */
export function yapilyRefusal(
  call: string,
  response: Response,
  body: unknown,
  refusals: ErrorKinds,
  clock: Clock,
): YapilyError {
  const error = errorOf(body);
  // A bank's own limit comes through as a failed dependency.
  const status = error.institutionError?.httpStatusCode === 429 ? 429 : response.status;
  const kind = refusals[status] ?? ordinary[status] ?? "outage";
  const message = `Yapily, ${call}: ${response.status}${details(error)}`;
  const options = retryAfter(response.headers.get("retry-after"), clock);
  return new YapilyError(kind, response.status, message, options);
}

/** No answer: the network, the time-out, or an answer that breaks off. */
export function unreachableError(call: string, cause: unknown): BankError {
  const { name, cause: reason } = cause as { name?: string; cause?: { code?: string } };
  // A parser's message quotes the text, which may hold a token: it goes no further.
  if (cause instanceof SyntaxError) return unreadableError(call, "no JSON");
  const why = name === "TimeoutError" ? "no answer in time" : (reason?.code ?? name ?? "no connection");
  return new BankError("outage", `Yapily, ${call}: ${why}`, { cause });
}

/** An answer that does not hold what it must: it is never taken for an empty one. */
export function unreadableError(call: string, what: string): BankError {
  return new BankError("outage", `Yapily, ${call}: the answer cannot be read (${what})`);
}

function errorOf(body: unknown): NonNullable<Schemas["ApiResponseError"]["error"]> {
  const { error } = (typeof body === "object" && body !== null ? body : {}) as Schemas["ApiResponseError"];
  return typeof error === "object" && error !== null ? error : {};
}

/** Yapily's own words, as far as they have the form they should, and redacted: they may quote what we have sent. */
function details({ status, source, tracingId, message }: ReturnType<typeof errorOf>): string {
  const word = /^[A-Z_]{1,40}$/;
  return [
    word.test(status ?? "") ? ` ${status}` : "",
    word.test(source ?? "") ? ` from ${source}` : "",
    /^[\da-f]{8,40}$/.test(tracingId ?? "") ? `, tracing id ${tracingId}` : "",
    typeof message === "string" ? `: ${errorText(message)}` : "",
  ].join("");
}
