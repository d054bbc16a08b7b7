import type { Clock } from "@purser/core";
import { z } from "zod";
import { errorText } from "../../../platform/secrets/redact.ts";
import { BillingError, type BillingErrorKind } from "../../ports.ts";

/** The error that an answer of Lemon Squeezy's stands for, unless it is one of success. */
export async function refusal(call: string, response: Response, clock: Clock): Promise<BillingError> {
  const body: unknown = await response.json().catch(() => undefined);
  const seconds = retryAfter(response.headers.get("retry-after"), clock);
  const message = `Lemon Squeezy, ${call}: ${response.status}${described(body)}`;
  const options = seconds === undefined ? {} : { retryAfterSeconds: seconds };
  return new BillingError(kindOf(response.status), message, options);
}

/** No answer, or one that breaks off or is no JSON. What a parser says of that quotes the answer: it is not told. */
export function noAnswer(call: string, error: Error): BillingError {
  return new BillingError("outage", `Lemon Squeezy, ${call}: no answer (${error.name})`);
}

/** An answer that does not hold what it must. `places` are paths and codes, never what was found there. */
export function unreadable(
  call: string,
  issues: readonly { path: PropertyKey[]; code: string }[],
): BillingError {
  const places = issues.map(({ path, code }) => `${path.join(".")} ${code}`).join(", ");
  return new BillingError("outage", `Lemon Squeezy, ${call}: it cannot be read (${places})`);
}

function kindOf(status: number): BillingErrorKind {
  if (status === 404) return "not_found";
  if (status === 429) return "rate_limited";
  // What nobody here can mend, such as an API key that is not valid any more, is an outage.
  const isPassing = status >= 500 || [401, 403, 408, 409].includes(status);
  return isPassing ? "outage" : "refused";
}

const Errors = z.object({
  errors: z.tuple(
    [
      z.object({
        detail: z.string().optional().catch(undefined),
        source: z
          .object({ pointer: z.string().regex(/^[a-z_/-]{1,80}$/) })
          .optional()
          .catch(undefined),
      }),
    ],
    z.unknown(),
  ),
});

/** What the first of the errors is about, as far as it has the form it should. */
function described(body: unknown): string {
  const [first] = Errors.safeParse(body).data?.errors ?? [];
  return [
    first?.source === undefined ? "" : ` (${first.source.pointer})`,
    // Whatever it quotes: without digits there is no card number in it, and `errorText` takes addresses and keys.
    first?.detail ? `: ${errorText(first.detail).replaceAll(/\d/g, "#")}` : "",
  ].join("");
}

/** The header's seconds, whether it gives them or an instant. */
function retryAfter(header: string | null, clock: Clock): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text);
  // Of other texts the parser makes dates too.
  const until = text.endsWith("GMT") ? Date.parse(text) : Number.NaN;
  return Number.isNaN(until) ? undefined : Math.max(0, Math.ceil((until - clock.now().getTime()) / 1000));
}
