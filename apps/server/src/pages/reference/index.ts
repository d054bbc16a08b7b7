import { Problem, exampleIds } from "@purser/core";
import type { Hono } from "hono";
import { FixedText, respondCompressed } from "../../http/compression.ts";
import type { HttpContext, HttpEnv } from "../../http/context.ts";
import { apiHeaders } from "../../http/headers.ts";
import type { AppService } from "../../service.ts";
import { renderPage, respondWithFixedPage } from "../layout.ts";
import { areaOf, readApiDocument } from "./document.ts";
import { renderReference } from "./pages.ts";

/**
 * Serves the OpenAPI document, and the API reference that is rendered from it: an introduction, the guides, a page per area,
 * and the errors. The first request renders it.
 */
export function referencePages(app: Hono<HttpEnv>, { platform }: AppService): void {
  const { settings } = platform;
  const load = once(() => {
    const api = readApiDocument(settings);
    // What the script of the pages searches and replaces.
    const operations = api.operations.map(({ operationId, tag, method, path, summary }) => {
      return { operationId, area: areaOf(tag), method, path, summary };
    });
    return {
      json: new FixedText(JSON.stringify(api.document)),
      index: new FixedText(JSON.stringify({ operations, exampleIds })),
      pages: renderPages(api, settings),
    };
  });
  const respondWith = async (c: HttpContext, name: string) => {
    const page = (await load().pages).get(name);
    if (page === undefined) throw new Problem("NOT_FOUND");
    return respondWithFixedPage(c, page);
  };
  const respondWithFixedJson = (c: HttpContext, json: FixedText) =>
    respondCompressed(c, 200, json, { ...apiHeaders, "Content-Type": "application/json" });
  app.get("/openapi.json", (c) => respondWithFixedJson(c, load().json));
  app.get("/docs", (c) => respondWith(c, "introduction"));
  app.get("/docs/index.json", (c) => respondWithFixedJson(c, load().index));
  app.get("/docs/:area", (c) => respondWith(c, c.req.param("area")));
}

/** Returns every page by the last part of its path. */
async function renderPages(
  ...of: Parameters<typeof renderReference>
): Promise<ReadonlyMap<string, FixedText>> {
  const contents = [...(await renderReference(...of))];
  const pages = contents.map(async ([name, content]): Promise<[string, FixedText]> => [
    name,
    new FixedText(await renderPage({ ...content, ...appearance })),
  ]);
  return new Map(await Promise.all(pages));
}

const appearance = { width: "full", style: "reference", script: "reference" } as const;

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
