import { type PaddleCheckout, findPaddleCheckout } from "@purser/paddle/checkout-page";
import type { Hono } from "hono";
import { html } from "hono/html";
import type { HttpEnv } from "../http/context.ts";
import { pageHeaders } from "../http/headers.ts";
import { createRateLimitCheck } from "../http/rate-limit.ts";
import type { AppService } from "../service.ts";
import { type Markup, respondWithPage, needsScript, notice, organizationsLink } from "./layout.ts";

/** Where Paddle sends buyers. Paddle has no checkout page of its own and opens an overlay on ours. */
export function billingPaddlePage(app: Hono<HttpEnv>, service: AppService): void {
  const { platform } = service;
  const { baseUrl, payments } = platform.settings;
  const { paddle } = payments;
  if (paddle === undefined) return;
  // The address needs no sign-in, and each visit reads the database.
  const checkRateLimit = createRateLimitCheck(service);
  const headers = headersOf(`${baseUrl}${path}`);
  app.get(path, async (c) => {
    await checkRateLimit(c);
    // Paddle's name for the parameter.
    const transactionId = c.req.query("_ptxn") ?? "";
    const checkout = await findPaddleCheckout(platform, paddle, transactionId);
    if (checkout === null)
      return respondWithPage(c, { title: "This checkout is closed", body: over, status: 404 });
    if (checkout.isPaid) return c.redirect(checkout.returnUrl, 303);
    return respondWithPage(c, { title: "Checkout", body: opening(checkout), headers });
  });
}

const path = "/billing/paddle";

/**
 * Paddle documents no content security policy. These are the hosts that its script uses, and it needs style attributes.
 * The page may call only Paddle and itself, so no script on it can call the API as the signed-in user.
 */
const policyOf = (page: string) =>
  [
    "default-src 'none'",
    "script-src 'self' https://cdn.paddle.com https://sandbox-cdn.paddle.com",
    "style-src 'self' 'unsafe-inline' https://*.paddle.com",
    "img-src 'self' data: https://*.paddle.com",
    `connect-src ${page} https://*.paddle.com`,
    "frame-src https://*.paddle.com",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

const headersOf = (page: string) => ({
  ...pageHeaders,
  "Content-Security-Policy": policyOf(page),
  // PayPal and banks open windows from the checkout, which report back to it.
  "Cross-Origin-Opener-Policy": "same-origin-allow-popups",
  // Paddle opens its checkout only on approved domains, which it reads from the referrer.
  "Referrer-Policy": "strict-origin-when-cross-origin",
});

function opening({ clientToken, environment, returnUrl }: PaddleCheckout): Markup {
  return html`<h1>Checkout</h1>
    ${needsScript}
    <p class="soft" id="opening">One moment …</p>
    <div
      id="closed"
      data-token="${clientToken}"
      data-environment="${environment}"
      data-return-url="${returnUrl}"
      hidden
    >
      <p>The checkout was closed.</p>
      <button type="button" id="again">Open it again</button>
    </div>
    ${notice}
    <p class="below"><a href="${returnUrl}">Go back</a></p>
    <script src="https://cdn.paddle.com/paddle/v2/paddle.js" defer></script>
    <script type="module" src="/assets/paddle.js"></script>`;
}

const over = html`<h1>This checkout is closed</h1>
  <p>
    It was replaced by a newer one, or has expired. The billing of your organization shows whether it has a
    subscription.
  </p>
  ${organizationsLink}`;
