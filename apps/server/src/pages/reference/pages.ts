import { html, raw } from "hono/html";
import type { Markup } from "../layout.ts";
import { type ApiDocument, type Operation, type TagGroup, areaOf } from "./document.ts";
import { type GuidePage, guidePages } from "./guide.ts";
import { introduction } from "./introduction.ts";
import { type OperationRendering, operationSection } from "./operation.ts";
import { problemList } from "./problem-list.ts";
import { prose, referenceLinks } from "./prose.ts";

/** A page as `respondWithPage` takes it. */
interface ReferencePage {
  title: string;
  body: Markup;
  /** The list of all operations. */
  navigation: Markup;
}

/** Renders every page of the reference, the guides among them, by the last part of its path. */
export async function renderReference(
  { document, operations }: { document: ApiDocument; operations: readonly Operation[] },
  { baseUrl }: { baseUrl: string },
): Promise<ReadonlyMap<string, ReferencePage>> {
  const { components, tags } = document;
  const link = referenceLinks(new Map(operations.map(({ operationId, tag }) => [operationId, tag])));
  const rendering = { components: components.schemas, link, baseUrl };
  const groups = tags.map((tag) => ({
    ...tag,
    operations: operations.filter(({ tag: its }) => its === tag.name),
  }));
  const areas = Map.groupBy(groups, ({ name }) => areaOf(name));
  const guides = guidePages({ link, baseUrl });
  const drafts = new Map<string, { title: string; body: Markup }>([
    ["introduction", { title: "API reference", body: introduction(groups, document, rendering) }],
    ...guides,
    ["problems", { title: "Errors", body: problemList }],
    ...[...areas].map(([area, own]): [string, { title: string; body: Markup }] => [
      area,
      { title: titleOf(area), body: areaPage(area, own, rendering) },
    ]),
  ]);
  const pages = [...drafts].map(async ([name, { title, body }]): Promise<[string, ReferencePage]> => [
    name,
    { title, body: raw(await body), navigation: raw(await menu({ areas, guides }, name)) },
  ]);
  return new Map(await Promise.all(pages));
}

const titleOf = (area: string) => area[0]!.toUpperCase() + area.slice(1);

function areaPage(area: string, groups: readonly TagGroup[], rendering: OperationRendering): Markup {
  return html`<h1>${titleOf(area)}</h1>
    <p class="soft" id="own-ids" hidden></p>
    ${groups.map(
      ({ name, description, operations }) =>
        html`<h2 id="${name}">${name}</h2>
          ${prose(description, rendering.link)}
          ${operations.map((operation) => operationSection(operation, rendering))}`,
    )}`;
}

interface Contents {
  areas: ReadonlyMap<string, readonly TagGroup[]>;
  guides: ReadonlyMap<string, GuidePage>;
}

/** Links to every area, and to what the current page describes. The script adds a search for all operations. */
function menu({ areas, guides }: Contents, current: string): Markup {
  const mark = (name: string) => (name === current ? raw(' aria-current="page"') : "");
  return html`<nav class="operations" aria-label="API reference">
    <div id="search" hidden>
      <label for="filter">Find an operation</label>
      <input id="filter" type="search" autocomplete="off" />
      <p class="hint" role="status" id="found"></p>
      <ul id="matches"></ul>
    </div>
    <ul id="areas">
      <li><a href="/docs" ${mark("introduction")}>Introduction</a></li>
      ${[...guides].map(
        ([name, { sections }]) =>
          html`<li>
            <a href="/docs/${name}" ${mark(name)}>${titleOf(name)}</a>
            ${name === current ? sectionLinks(sections) : ""}
          </li>`,
      )}
      <li><a href="/docs/problems" ${mark("problems")}>Errors</a></li>
      ${[...areas].map(
        ([area, groups]) =>
          html`<li>
            <a href="/docs/${area}" ${mark(area)}>${area}</a>
            ${area === current ? operationLinks(area, groups) : ""}
          </li>`,
      )}
    </ul>
  </nav>`;
}

function operationLinks(area: string, groups: readonly TagGroup[]): Markup {
  const operations = groups.flatMap(({ operations: own }) => own);
  return sectionLinks(operations.map(({ operationId: id }) => ({ id, name: id.slice(area.length + 1) })));
}

function sectionLinks(sections: readonly { id: string; name: string }[]): Markup {
  return html`<ul>
    ${sections.map(({ id, name }) => html`<li><a href="#${id}">${name}</a></li>`)}
  </ul>`;
}
