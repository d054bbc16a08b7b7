import { type ProblemCode, problemAdvice, problemCatalog } from "@purser/core";
import { authErrorCodes } from "@purser/identity";
import { openApiDocument } from "@purser/router";
import type { Hono } from "hono";
import { html } from "hono/html";
import type { HttpEnv } from "../http/context.ts";
import { apiHeaders, pageHeaders } from "../http/headers.ts";
import { respond } from "../http/response.ts";
import type { AppService } from "../service.ts";
import { respondWithPage } from "./layout.ts";

/** Serves the OpenAPI document, the API reference and the list of errors. */
export function docsPages(app: Hono<HttpEnv>, { platform }: AppService): void {
  const document = JSON.stringify(openApiDocument(platform.settings));
  app.get("/openapi.json", (c) =>
    respond(c, 200, document, { ...apiHeaders, "Content-Type": "application/json" }),
  );
  app.get("/docs", async (c) => c.html(await reference, 200, referenceHeaders));
  app.get("/docs/problems", (c) => respondWithPage(c, { title: "Errors", width: "wide", body: problems }));
}

// Swagger UI uses style attributes, which the strict policy for styles would block.
const referenceHeaders = {
  ...pageHeaders,
  "Content-Security-Policy": pageHeaders["Content-Security-Policy"]!.replace(
    "style-src 'self'",
    "style-src 'self' 'unsafe-inline'",
  ),
};

const reference = html`<!doctype html>
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>API reference · Purser</title>
      <link rel="icon" href="/assets/purser.svg" type="image/svg+xml" />
      <link rel="stylesheet" href="/assets/swagger-ui.css" />
      <link rel="stylesheet" href="/assets/reference.css" />
      <script src="/assets/swagger-ui.js" defer></script>
      <script src="/assets/reference.js" defer></script>
    </head>
    <body>
      <header>
        <a class="brand" href="/"><img src="/assets/purser.svg" alt="" width="28" height="28" /> Purser</a>
        <nav><a href="/docs/problems">Errors</a> <a href="/openapi.json">OpenAPI 3.1</a></nav>
      </header>
      <main id="reference"></main>
    </body>
  </html>`;

const problems = html`<h1>Errors</h1>
  <p>
    Every error has the media type <code>application/problem+json</code> (RFC 9457). Your program should rely
    on its <code>code</code>, because the sentences may change. If <code>retryable</code> is true, the same
    request may succeed later: wait as long as <code>Retry-After</code> says. Include the
    <code>requestId</code> when you ask for support.
  </p>
  ${table(
    ["Code", "Status", "Meaning"],
    Object.entries(problemCatalog).map(([code, [status, sentence]]) => {
      const { retryable, help } = problemAdvice(code as ProblemCode);
      return [code, status, [sentence, help, retryable && "The same request may succeed later."]];
    }),
  )}
  <h2>Errors of accounts</h2>
  <p>Responses under <code>/api/auth</code> can also have these codes.</p>
  ${table(
    ["Code", "Meaning"],
    Object.keys(authErrorCodes)
      .filter((code) => !(code in problemCatalog))
      .toSorted()
      .map((code) => [code, [authErrorCodes[code]]]),
  )}`;

/** The first cell of a row is the code, whose fragment the row answers to. */
function table(
  heads: string[],
  rows: [code: string, ...cells: (number | (string | false | undefined)[])[]][],
) {
  return html`<div class="scroll">
    <table>
      <thead>
        <tr>
          ${heads.map((head) => html`<th scope="col">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([code, ...cells]) =>
            html`<tr id="${code}">
              <td><code>${code}</code></td>
              ${cells.map((cell) => html`<td>${Array.isArray(cell) ? cell.filter(Boolean).join(" ") : cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
