import { html } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import { type FixedText, respondCompressed } from "../http/compression.ts";
import type { HttpContext } from "../http/context.ts";
import { pageHeaders } from "../http/headers.ts";
import { respond } from "../http/response.ts";

/** Markup whose inserted values are escaped. */
export type Markup = HtmlEscapedString | Promise<HtmlEscapedString>;

/** What a page shows. */
interface PageContent {
  title: string;
  body: Markup;
  /** Navigation in a column next to the body. */
  navigation?: Markup;
  /** A style sheet in `/assets` in addition to the common one, without its extension. */
  style?: string;
  /** A module in `/assets`, without its extension. */
  script?: string;
  /** `wide` for tables and lists, `narrow` for forms, `full` for a page with navigation next to it. */
  width?: "narrow" | "wide" | "full";
}

interface Page extends PageContent {
  status?: number;
  headers?: Readonly<Record<string, string>>;
  /** Whether the page shows a secret, so it is not compressed. */
  isSecret?: boolean;
}

/** Responds with a page that was rendered for this response. */
export async function respondWithPage(c: HttpContext, page: Page): Promise<Response> {
  const { status = 200, headers = pageHeaders, isSecret = false } = page;
  const markup = await renderPage(page);
  if (isSecret) return respond(c, status, markup, { ...headers, ...htmlType });
  return respondCompressed(c, status, markup, { ...headers, ...htmlType }, { isPage: true });
}

/** Responds with a page that {@link renderPage} has made once for all responses. */
export const respondWithFixedPage = (c: HttpContext, markup: FixedText): Response =>
  respondCompressed(c, 200, markup, { ...pageHeaders, ...htmlType }, { isPage: true });

const htmlType = { "Content-Type": "text/html; charset=utf-8" };

/** Renders a page in Purser's own design. */
export async function renderPage(page: PageContent): Promise<string> {
  const { title, body, navigation, style, script, width = "narrow" } = page;
  const markup = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Purser</title>
        <link rel="icon" href="/assets/purser.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/assets/tokens.css" />
        <link rel="stylesheet" href="/assets/purser.css" />
        ${style ? html`<link rel="stylesheet" href="/assets/${style}.css" />` : ""}
        ${script ? html`<script type="module" src="/assets/${script}.js"></script>` : ""}
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        <header>
          <a class="brand" href="/"><img src="/assets/purser.svg" alt="" width="28" height="28" /> Purser</a>
        </header>
        ${navigation ?? ""}
        <main id="main" class="${width}">${body}</main>
      </body>
    </html>`;
  return String(await markup);
}

/** Where a form reports success or failure. Screen readers announce its changes. */
export const notice = html`<p class="notice" role="alert" hidden></p>`;

/** The way on from a page that has come to an end. The start page lists the organizations of a signed-in user. */
export const organizationsLink = html`<p class="below"><a href="/">Go to your organizations</a></p>`;

/** For pages that call the API from the browser. */
export const needsScript = html`<noscript><p class="notice bad">This page needs JavaScript.</p></noscript>`;
