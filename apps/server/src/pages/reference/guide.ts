import { readFileSync } from "node:fs";
import { html } from "hono/html";
import { type Token, type Tokens, lexer } from "marked";
import type { Markup } from "../layout.ts";
import { codeBlock } from "./code-block.ts";
import type { Link } from "./prose.ts";

/** A document of the repository as a page of the reference. */
export interface GuidePage {
  title: string;
  body: Markup;
  sections: { id: string; name: string }[];
}

const documents = {
  guide: new URL("../../../../../docs/guide.md", import.meta.url),
  webhooks: new URL("../../../../../docs/webhooks.md", import.meta.url),
};

/** Where the service itself has what these files hold. Other files are named, and not linked. */
const addresses: Readonly<Record<string, string>> = {
  "docs/guide.md": "/docs/guide",
  "docs/webhooks.md": "/docs/webhooks",
  "apps/console/README.md": "/",
};

/** The step that says what the repository is. */
const repository = "/docs/guide#1-start-the-service";

interface Rendering {
  link: Link;
  baseUrl: string;
}

/** Renders the documents, by the last part of their path. Their samples call this service. */
export function guidePages(rendering: Rendering): Map<string, GuidePage> {
  const pages = Object.entries(documents).map(([name, file]): [string, GuidePage] => [
    name,
    guidePage(readFileSync(file, "utf8"), rendering),
  ]);
  return new Map(pages);
}

export function guidePage(markdown: string, { link, baseUrl }: Rendering): GuidePage {
  const text = markdown
    .replaceAll("http://localhost:3000", baseUrl)
    // The page of events describes each of them.
    .replace(
      /<!-- events:begin -->.*<!-- events:end -->/s,
      "[Every type, and what its data holds](/docs/events#Event)",
    );
  const tokens = lexer(text);
  const headings = tokens.filter((token): token is Tokens.Heading => token.type === "heading");
  const sections = headings
    .filter(({ depth }) => depth === 2)
    .map((heading) => ({ id: slugOf(heading), name: heading.text }));
  let section = "";
  const body = html`${tokens.map((token) => {
    if (token.type === "heading") section = (token as Tokens.Heading).text;
    return renderBlock(token, section, link);
  })}`;
  return { title: headings[0]?.text ?? "", body, sections };
}

/** The names of languages as readers call them. */
const languages: Readonly<Record<string, string>> = {
  sh: "Shell",
  ts: "TypeScript",
  tsx: "TypeScript",
  json: "JSON",
  http: "HTTP",
  python: "Python",
  go: "Go",
};

function renderBlock(block: Token, section: string, link: Link): Markup | "" {
  const token = block as MarkdownBlock;
  const within = (tokens: Token[] = []) => tokens.map((each) => renderInline(each, link));
  switch (token.type) {
    case "heading":
      return renderHeading(token, within(token.tokens));
    case "paragraph":
      return html`<p>${within(token.tokens)}</p>`;
    // The text of an item of a list.
    case "text":
      return html`${within(token.tokens)}`;
    case "code":
      return codeBlock(languages[token.lang ?? ""] ?? "Text", token.text, section);
    case "list": {
      const items = token.items.map(
        ({ tokens }) => html`<li>${tokens.map((each) => renderBlock(each, section, link))}</li>`,
      );
      return token.ordered
        ? html`<ol>
            ${items}
          </ol>`
        : html`<ul>
            ${items}
          </ul>`;
    }
    case "table":
      return html`<div class="scroll" tabindex="0" role="group" aria-label="Table, ${section}">
        <table>
          <thead>
            <tr>
              ${token.header.map(({ tokens }) => html`<th scope="col">${within(tokens)}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${token.rows.map(
              (row) =>
                html`<tr>
                  ${row.map(({ tokens }) => html`<td>${within(tokens)}</td>`)}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>`;
    case "space":
      return "";
  }
  throw new Error(`The page has no look for this Markdown: ${block.raw}`);
}

type MarkdownBlock =
  | Tokens.Heading
  | Tokens.Paragraph
  | Tokens.Text
  | Tokens.Code
  | Tokens.List
  | Tokens.Table
  | Tokens.Space;

function renderHeading(token: Tokens.Heading, content: readonly (Markup | string)[]): Markup {
  const id = slugOf(token);
  if (token.depth === 1) return html`<h1>${content}</h1>`;
  return token.depth === 2 ? html`<h2 id="${id}">${content}</h2>` : html`<h3 id="${id}">${content}</h3>`;
}

/** The fragment by which links within a document name a heading, as on GitHub. */
const slugOf = ({ text }: Tokens.Heading): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} -]/gu, "")
    .replaceAll(" ", "-");

function renderInline(part: Token, link: Link): Markup | string {
  const token = part as MarkdownInline;
  const within = () =>
    ("tokens" in token ? (token.tokens ?? []) : []).map((each) => renderInline(each, link));
  switch (token.type) {
    case "text":
    case "escape":
      return token.text;
    case "strong":
      return html`<strong>${within()}</strong>`;
    case "codespan": {
      const href = link(token.text);
      const code = html`<code>${token.text}</code>`;
      return href === undefined ? code : html`<a href="${href}">${code}</a>`;
    }
    case "link": {
      const { href, file } = targetOf(token.href);
      if (href !== undefined) return html`<a href="${href}">${within()}</a>`;
      return html`${within()} (<code>${file}</code> in <a href="${repository}">the repository</a>)`;
    }
    // A picture of the console, which the reader has at hand.
    case "image":
      return "";
  }
  throw new Error(`The page has no look for this Markdown: ${part.raw}`);
}

type MarkdownInline =
  | Tokens.Text
  | Tokens.Escape
  | Tokens.Strong
  | Tokens.Codespan
  | Tokens.Link
  | Tokens.Image;

/** Where a link leads: to an address, or to a file of the repository that is no page of the service. */
function targetOf(href: string): { href?: string; file?: string } {
  if (/^(https?:|[/#])/.test(href)) return { href };
  const { pathname, hash } = new URL(href, "file:///docs/");
  const file = pathname.slice(1);
  const address = addresses[file];
  return address === undefined ? { file } : { href: address + (address === "/" ? "" : hash) };
}
