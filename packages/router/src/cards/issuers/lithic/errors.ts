import type { Clock } from "@purser/core";
import { APIError } from "lithic";
import { z } from "zod";
import { errorText } from "../../../platform/secrets/redact.ts";
import { IssuerError, type IssuerErrorKind } from "../../ports.ts";

/**
 * The error that a failed call of the SDK stands for. The SDK's own is not kept as the cause: it carries Lithic's
 * whole answer, in which there may be a card number.
 */
export function lithicError(call: string, error: unknown, clock: Clock): IssuerError {
  if (!(error instanceof APIError) || error.status === undefined) {
    // No answer, or one that breaks off or is no JSON. What a parser says of that quotes the answer: only the name
    // of the error is told.
    const why = error instanceof Error ? error.constructor.name : typeof error;
    return new IssuerError("outage", `Lithic, ${call}: no answer (${why})`);
  }
  const seconds = retryAfter(error.headers?.get("retry-after"), clock);
  const message = `Lithic, ${call}: ${error.status}${described(error.error)}`;
  const options = seconds === undefined ? {} : { retryAfterSeconds: seconds };
  return new IssuerError(kindOf(error.status), message, options);
}

/** An answer that does not hold what it must. `places` are paths and codes, never what was found there. */
export function unreadable(
  what: string,
  issues: readonly { path: PropertyKey[]; code: string }[],
): IssuerError {
  const places = issues.map(({ path, code }) => `${path.join(".")} ${code}`).join(", ");
  return new IssuerError("outage", `Lithic, ${what}: it cannot be read (${places})`);
}

function kindOf(status: number): IssuerErrorKind {
  if (status === 404) return "card_not_found";
  if (status === 429) return "rate_limited";
  // What nobody here can mend, such as wrong API keys, is an outage, as is a repeat of a call that still runs (409).
  const isPassing = status >= 500 || [401, 403, 408, 409].includes(status);
  return isPassing ? "outage" : "refused";
}

const Body = z.object({
  message: z.string().optional().catch(undefined),
  debugging_request_id: z
    .string()
    .regex(/^[\da-f-]{36}$/)
    .optional()
    .catch(undefined),
});

function described(body: unknown): string {
  const { message, debugging_request_id: request } = Body.safeParse(body).data ?? {};
  return [
    request ? `, request ${request}` : "",
    // Whatever it quotes: without digits there is neither a card number nor a CVV in it.
    message ? `: ${errorText(message).replaceAll(/\d/g, "#")}` : "",
  ].join("");
}

/** The header's seconds, whether it gives them or an instant. */
function retryAfter(header: string | null | undefined, clock: Clock): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text);
  // Of other texts the parser makes dates too.
  const until = text.endsWith("GMT") ? Date.parse(text) : Number.NaN;
  return Number.isNaN(until) ? undefined : Math.max(0, Math.ceil((until - clock.now().getTime()) / 1000));
}
