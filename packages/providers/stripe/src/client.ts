import { Stripe } from "stripe";

/** How an account at Stripe is reached. */
interface StripeAccess {
  /** A key of the account. */
  apiKey: string;
  /** Where the API is, if not at Stripe's own address. */
  baseUrl?: string | undefined;
  /** How long a request may take, to the last byte of its answer, where it does not name a time of its own. */
  timeoutMs: number;
}

/** Stripe's SDK, which asks once and within the time. What its calls throw is for `stripeErrors` to translate. */
export function stripeSdk({ apiKey, baseUrl = "https://api.stripe.com", timeoutMs }: StripeAccess): Stripe {
  const { protocol, hostname, port } = new URL(baseUrl);
  return new Stripe(apiKey, {
    protocol: protocol === "http:" ? "http" : "https",
    host: hostname,
    ...(port && { port }),
    timeout: timeoutMs,
    // Over Node's own client the SDK asks once more after a broken connection, whatever the number of retries, and
    // lets an answer that comes in drops take for ever. A redirect would take the key along to wherever it leads.
    httpClient: Stripe.createFetchHttpClient((url, init) => fetch(url, { ...init, redirect: "error" })),
    // Whoever asks decides when to ask again.
    maxNetworkRetries: 0,
    telemetry: false,
  });
}
