import { PolarClientError, PolarRateLimitError, PolarServerError } from "@polar-sh/sdk";
import { BillingError, type BillingErrorKind } from "@purser/billing/ports";
import { adapterErrors } from "@purser/platform/providers";
import { z } from "zod";

const { noResponseError, parsePayload: parsePolarPayload } = adapterErrors("Polar", BillingError);
export { parsePolarPayload };

/**
 * Maps an error of the SDK to a `BillingError`. The SDK's error does not become the cause, because it carries Polar's
 * whole response, which quotes the request, such as an e-mail address.
 */
export function polarError(call: string, error: unknown): BillingError {
  if (error instanceof PolarServerError) {
    // The SDK exposes the status only in its message.
    const [, status = "5xx"] = /server error: (\d{3}) /.exec(error.message) ?? [];
    return new BillingError("outage", `Polar, ${call}: ${status}`);
  }
  if (!(error instanceof PolarClientError)) return noResponseError(call, error);
  const { statusCode } = error;
  const body = Body.safeParse(read(error.error)).data ?? {};
  const seconds = error instanceof PolarRateLimitError ? error.retryAfter : null;
  const message = `Polar, ${call}: ${statusCode}${described(body)}`;
  // The SDK returns null when the header is a date.
  const options = seconds !== null && seconds >= 0 ? { retryAfterSeconds: seconds } : {};
  return new BillingError(kindOf(statusCode, body.error), message, options);
}

/** The permanent refusals among status 403. The others concern the token's scopes or the account. */
const refusals = new Set([
  "AlreadyActiveSubscriptionError",
  "AlreadyCanceledSubscription",
  "InactiveSubscription",
]);

function kindOf(status: number, name = ""): BillingErrorKind {
  if (status === 429) return "rate_limited";
  // Polar also answers 404 when it no longer serves the SDK's API version, but then it names no error.
  if (status === 404) return name === "ResourceNotFound" ? "not_found" : "outage";
  if (status === 403) return refusals.has(name) ? "refused" : "outage";
  // A concurrent change holds a lock.
  if (status === 409 && name.endsWith("Locked")) return "outage";
  // A caller cannot fix a wrong token, so it counts as an outage.
  return [401, 408].includes(status) ? "outage" : "refused";
}

const Word = z.string().regex(/^\w{1,80}$/);
/** Error names and field names only: sentences may quote the request. */
const Body = z.object({
  error: Word.optional().catch(undefined),
  detail: z
    .array(z.object({ loc: z.array(z.union([Word, z.int()])).max(8), type: Word }))
    .max(8)
    .optional()
    .catch(undefined),
});

function described({ error, detail = [] }: z.infer<typeof Body>): string {
  const fields = detail.map(({ loc, type }) => `${loc.join(".")} ${type}`).join(", ");
  return `${error === undefined ? "" : ` ${error}`}${fields === "" ? "" : ` (${fields})`}`;
}

/** The SDK parses the bodies of the responses that it expects, and leaves others as text. */
function read(body: unknown): unknown {
  if (typeof body !== "string") return body;
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
