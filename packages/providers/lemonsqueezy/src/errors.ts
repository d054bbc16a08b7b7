import { type Clock, errorText } from "@purser/core";
import { z } from "zod";
import { adapterErrors, retryAfter } from "@purser/platform/providers";
import { BillingError, type BillingErrorKind } from "@purser/billing/ports";

export const { noAnswer, readable } = adapterErrors("Lemon Squeezy", BillingError);

/** The error that an answer of Lemon Squeezy's stands for, unless it is one of success. */
export async function lemonSqueezyError(
  call: string,
  response: Response,
  clock: Clock,
): Promise<BillingError> {
  const body: unknown = await response.json().catch(() => undefined);
  const message = `Lemon Squeezy, ${call}: ${response.status}${described(body)}`;
  const options = retryAfter(response.headers.get("retry-after"), clock);
  return new BillingError(kindOf(response.status), message, options);
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
