import { html } from "hono/html";
import type { Markup } from "../layout.ts";

/** A block of code that can be scrolled with the keyboard and copied. */
export function codeBlock(name: string, code: string, of: string): Markup {
  return html`<figure>
    <figcaption>${name}</figcaption>
    <button type="button" class="copy plain" aria-label="Copy: ${name}, ${of}" hidden>Copy</button>
    <pre tabindex="0" role="group" aria-label="${name}, ${of}"><code>${code}</code></pre>
  </figure>`;
}
