import { RevealRequest, checkReveal, findCardComponent, openReveal } from "@purser/cards";
import type { CardComponent } from "@purser/cards/ports";
import { parseInput } from "@purser/core";
import type { Hono } from "hono";
import { html } from "hono/html";
import { parseJson, readJsonText } from "../http/body.ts";
import type { HttpContext, HttpEnv } from "../http/context.ts";
import { pageHeaders } from "../http/headers.ts";
import { type CheckRateLimit, createRateLimitCheck } from "../http/rate-limit.ts";
import { respondWithJson } from "../http/response.ts";
import type { AppService } from "../service.ts";
import { consoleOptions } from "./console.ts";
import { type Markup, respondWithPage, needsScript, notice } from "./layout.ts";
import { respondWithNotFoundPage } from "./not-found.ts";

const folder = "/cards/reveal";

/**
 * The page that shows the number of a card once, to the person who has the link. Its address names only the issuer, whose
 * component the page may load. The link's token is in the fragment: the browser's script posts it.
 * See docs/decisions/0050-revealing-a-card.md.
 */
export function cardRevealPage(app: Hono<HttpEnv>, service: AppService): void {
  const { platform } = service;
  const hasConsole = consoleOptions(service).webConsole !== null;
  const checkRateLimit = createRateLimitCheck(service);

  // Does not open the link, so scanners and previews may load the page.
  app.get(`${folder}/:issuer`, async (c) => {
    await checkRateLimit(c);
    const component = await findCardComponent(platform, c.req.param("issuer"));
    if (component === null) return respondWithNotFoundPage(c);
    const headers = revealHeaders(component, platform.settings.baseUrl);
    const page = { title: "Card number", style: "card-reveal", script: "card-reveal", headers };
    return respondWithPage(c, { ...page, body: offer(component, hasConsole) });
  });

  app.post(`${folder}/check`, async (c) => {
    const { token } = await readRequest(c, checkRateLimit);
    return respondWithJson(c, 200, await checkReveal(platform, token));
  });

  app.post(`${folder}/open`, async (c) => {
    const { token, nonce = null } = await readRequest(c, checkRateLimit);
    return respondWithJson(c, 200, await openReveal(platform, token, nonce));
  });
}

async function readRequest(c: HttpContext, checkRateLimit: CheckRateLimit) {
  const text = await readJsonText(c);
  await checkRateLimit(c);
  return parseInput(RevealRequest, parseJson(text));
}

/** What each component adds to the policy. See https://docs.stripe.com/security/guide#content-security-policy. */
function sourcesOf(component: CardComponent): { script: string; frame: string; connect: string } {
  const none = { script: "", frame: " 'none'", connect: "" };
  if (component.kind === "test-number") return none;
  if (component.kind === "lithic-embeds") return { ...none, frame: ` ${component.origin}` };
  const hosts = " https://js.stripe.com https://*.js.stripe.com";
  return { script: hosts, frame: hosts, connect: " https://api.stripe.com" };
}

function revealHeaders(component: CardComponent, baseUrl: string): Readonly<Record<string, string>> {
  const { script, frame, connect } = sourcesOf(component);
  const policy = [
    "default-src 'none'",
    `script-src 'self'${script}`,
    "style-src 'self'",
    "img-src 'self' data:",
    // Only the addresses of this page, so that no script on it can call the API as the signed-in user.
    `connect-src ${baseUrl}${folder}/${connect}`,
    `frame-src${frame}`,
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    ...pageHeaders,
    "Content-Security-Policy": policy.join("; "),
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), display-capture=()",
  };
}

function offer(component: CardComponent, hasConsole: boolean): Markup {
  const isStripe = component.kind === "stripe-elements";
  return html`<h1>Card number</h1>
    ${needsScript}
    <div
      id="reveal"
      data-kind="${component.kind}"
      data-publishable-key="${isStripe ? component.publishableKey : ""}"
      data-frame-origin="${component.kind === "lithic-embeds" ? component.origin : ""}"
    >
      <div id="offer" hidden>
        <p>
          This shows the number of the card that ends in <strong id="last-four"></strong>, once and for a
          minute. Make sure that nobody is looking over your shoulder.
        </p>
        <button type="button" id="show">Show the number</button>
      </div>
      <div id="shown" hidden>
        ${fields}
        <p class="hint">Hidden again in <span id="seconds">60</span> seconds.</p>
        <button type="button" class="plain" id="hide">Hide it now</button>
      </div>
      <p id="covered" class="soft" hidden>The number is covered while you are in another window.</p>
    </div>
    ${notice}
    <p class="below">
      <a id="onward" href="/" ${hasConsole ? "data-to-cards" : ""}>Go to your organizations</a>
    </p>
    ${isStripe ? html`<script src="${stripeScript}" async></script>` : ""}`;
}

/** Stripe requires that its script comes from its own host, and documents no hash of it. */
const stripeScript = "https://js.stripe.com/clover/stripe.js";

const fields = html`<dl class="card-details">
  <div>
    <dt>Number</dt>
    <dd><span id="number"></span> <span id="copy"></span></dd>
  </div>
  <div>
    <dt>Expires</dt>
    <dd id="expiry"></dd>
  </div>
  <div>
    <dt>CVC</dt>
    <dd id="cvc"></dd>
  </div>
</dl>`;
