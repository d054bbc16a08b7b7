import { type ProblemCode, problemAdvice, problemCatalog } from "@purser/core";
import { authErrorCodes } from "@purser/identity";
import { html } from "hono/html";
import type { Markup } from "../layout.ts";

/** Explains every error code, at the address that is the `type` of the error. */
export const problemList: Markup = html`<h1>Errors</h1>
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
  return html`<table class="codes">
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
  </table>`;
}
