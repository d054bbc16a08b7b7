import { BillingError, type BillingErrorKind } from "@purser/billing/ports";
import { type Clock, errorText } from "@purser/core";
import { adapterErrors, retryAfter } from "@purser/platform/providers";
import { z } from "zod";

export const { noResponseError, parsePayload: parseLemonSqueezyPayload } = adapterErrors(
  "Lemon Squeezy",
  BillingError,
);

/** Maps an unsuccessful response to a `BillingError`. */
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
  // A caller cannot fix an invalid API key, so it counts as an outage.
  const isTemporary = status >= 500 || [401, 403, 408, 409].includes(status);
  return isTemporary ? "outage" : "refused";
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

/** Describes the first error, if it has the documented form. */
function described(body: unknown): string {
  const [first] = Errors.safeParse(body).data?.errors ?? [];
  return [
    first?.source === undefined ? "" : ` (${first.source.pointer})`,
    // Digits are masked, so that no card number can appear. `errorText` masks addresses and keys.
    first?.detail ? `: ${errorText(first.detail).replaceAll(/\d/g, "#")}` : "",
  ].join("");
}
