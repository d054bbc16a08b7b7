import { problemCatalog } from "@purser/core";
import { html } from "hono/html";
import type { Markup } from "../layout.ts";
import { areaOf } from "./document.ts";

/** Returns the address that a word in code refers to, if it names something of the reference. */
export type Link = (code: string) => string | undefined;

/** Links operations to their place in the reference, and error codes to their explanation. */
export function referenceLinks(tagOf: ReadonlyMap<string, string>): Link {
  return (code) => {
    const tag = tagOf.get(code);
    if (tag !== undefined) return `/docs/${areaOf(tag)}#${code}`;
    return code in problemCatalog ? `/docs/problems#${code}` : undefined;
  };
}

/** Renders a description: paragraphs, lists and code, as the contracts write them. */
export function prose(text: string, link: Link): Markup {
  return html`${text.split(/\n\n+/).map((block) =>
    block.startsWith("- ")
      ? html`<ul>
          ${block.split("\n").map((line) => html`<li>${phrases(line.slice(2), link)}</li>`)}
        </ul>`
      : html`<p>${phrases(block, link)}</p>`,
  )}`;
}

/** Renders text with words in backticks. */
export function phrases(text: string, link: Link): (string | Markup)[] {
  return text.split("`").map((part, index) => {
    if (index % 2 === 0) return part;
    const href = link(part);
    return href === undefined ? html`<code>${part}</code>` : html`<a href="${href}"><code>${part}</code></a>`;
  });
}
