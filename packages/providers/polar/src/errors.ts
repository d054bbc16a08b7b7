import { PolarClientError, PolarRateLimitError, PolarServerError } from "@polar-sh/sdk";
import { z } from "zod";
import { adapterErrors } from "@purser/platform/providers";
import { BillingError, type BillingErrorKind } from "@purser/billing/ports";

const { noAnswer, readable } = adapterErrors("Polar", BillingError);
export { readable };

/**
 * The error that a failed call of the SDK stands for. The SDK's own is not kept as the cause: it carries Polar's whole
 * answer, which quotes what was sent, such as a person's e-mail address.
 */
export function polarError(call: string, error: unknown): BillingError {
  if (error instanceof PolarServerError) {
    // The SDK tells the status in its message alone.
    const [, status = "5xx"] = /server error: (\d{3}) /.exec(error.message) ?? [];
    return new BillingError("outage", `Polar, ${call}: ${status}`);
  }
  if (!(error instanceof PolarClientError)) return noAnswer(call, error);
  const { statusCode } = error;
  const body = Body.safeParse(read(error.error)).data ?? {};
  const seconds = error instanceof PolarRateLimitError ? error.retryAfter : null;
  const message = `Polar, ${call}: ${statusCode}${described(body)}`;
  // Where the header is a date, the SDK gives no number.
  const options = seconds !== null && seconds >= 0 ? { retryAfterSeconds: seconds } : {};
  return new BillingError(kindOf(statusCode, body.error), message, options);
}

/** What was found, or null where Polar has no such thing. */
export async function nullIfNotFound<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof BillingError && error.kind === "not_found") return null;
    throw error;
  }
}

/** Of what is forbidden (403), what will stay so; the rest are the rights of our token and the state of the account. */
const refusals = new Set([
  "AlreadyActiveSubscriptionError",
  "AlreadyCanceledSubscription",
  "InactiveSubscription",
]);

function kindOf(status: number, name = ""): BillingErrorKind {
  if (status === 429) return "rate_limited";
  // Polar also answers 404 when it does not serve the SDK's version of its API any more, but then it names no error.
  if (status === 404) return name === "ResourceNotFound" ? "not_found" : "outage";
  if (status === 403) return refusals.has(name) ? "refused" : "outage";
  // Something is changed by somebody else at this moment.
  if (status === 409 && name.endsWith("Locked")) return "outage";
  // What nobody here can mend, such as a wrong token, is an outage.
  return [401, 408].includes(status) ? "outage" : "refused";
}

const Word = z.string().regex(/^\w{1,80}$/);
/** Only what has the form of Polar's own words: neither its sentences nor what was sent. */
const Body = z.object({
  error: Word.optional().catch(undefined),
  detail: z
    .array(z.object({ loc: z.array(z.union([Word, z.int()])).max(8), type: Word }))
    .max(8)
    .optional()
    .catch(undefined),
});

function described({ error, detail = [] }: z.infer<typeof Body>): string {
  const places = detail.map(({ loc, type }) => `${loc.join(".")} ${type}`).join(", ");
  return `${error === undefined ? "" : ` ${error}`}${places === "" ? "" : ` (${places})`}`;
}

/** The SDK reads the bodies of those answers that it expects, and leaves others as their text. */
function read(body: unknown): unknown {
  if (typeof body !== "string") return body;
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
