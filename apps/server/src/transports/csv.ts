import { Readable, pipeline } from "node:stream";
import { ByteLengthQueuingStrategy, type ReadableStream } from "node:stream/web";
import type { Context, CsvFormat, RestRoute } from "@purser/router";
import { type Encoding, compressor, encodingFor } from "../http/compression.ts";
import type { HttpContext } from "../http/context.ts";
import { apiHeaders } from "../http/headers.ts";
import { respond } from "../http/response.ts";

interface CsvRequest {
  route: RestRoute;
  format: CsvFormat;
  params: Record<string, string>;
  query: URLSearchParams | null;
  /** Creates the context of one page. */
  createContext: () => Context;
  onError: (error: unknown) => void;
}

/**
 * Answers a list as CSV, to its last item. It calls the procedure page by page, so that each page has the procedure's rights
 * and its limits of time, and no transaction stays open. Items that others add meanwhile may be in it or not.
 */
export async function answerCsv(c: HttpContext, request: CsvRequest): Promise<Response> {
  const { route } = request;
  // The first page decides whether this is an answer or a problem.
  const first = await readCsvPage(request, null, c.req.raw.signal);
  const encoding = encodingFor(c);
  const headers = {
    ...apiHeaders,
    "Content-Type": "text/csv; charset=utf-8; header=present",
    "Content-Disposition": `attachment; filename="${route.path.split("/").slice(2).join("-")}.csv"`,
    Vary: "Accept, Accept-Encoding",
    ...(encoding !== null && { "Content-Encoding": encoding }),
  };
  if (c.req.method === "HEAD") return respond(c, 200, null, headers);
  const source = Readable.from(csvChunks(request, first, c.req.raw.signal), { objectMode: false });
  source.on("error", request.onError);
  const body = encoding === null ? source : compressed(source, encoding);
  // By default it would count chunks of any size, and so take the whole list into memory.
  const strategy = new ByteLengthQueuingStrategy({ highWaterMark: 64 * 1024 });
  return respond(c, 200, Readable.toWeb(body, { strategy }) as ReadableStream<Uint8Array>, headers);
}

interface CsvPage {
  items: readonly unknown[];
  nextAfter: string | null;
}

async function* csvChunks(
  request: CsvRequest,
  first: CsvPage,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  const { format } = request;
  let page = first;
  let text = format.header;
  for (;;) {
    const next = page.nextAfter === null ? null : readCsvPage(request, page.nextAfter, signal);
    // The database reads the next page while this one is written. If nobody takes it, its error is nobody's.
    next?.catch(() => undefined);
    for (const item of page.items) text += format.line(item);
    yield text;
    if (next === null) return;
    signal.throwIfAborted();
    page = await next;
    text = "";
  }
}

async function readCsvPage(
  { route, params, query, createContext }: CsvRequest,
  after: string | null,
  signal: AbortSignal,
): Promise<CsvPage> {
  const pageQuery = new URLSearchParams(query ?? undefined);
  pageQuery.delete("limit");
  pageQuery.delete("after");
  if (after !== null) pageQuery.set("after", after);
  const ctx = createContext();
  const items = await route.call(ctx, { params, query: pageQuery, readBody: () => undefined }, signal);
  return { items: items as unknown[], nextAfter: ctx.response.nextAfter };
}

/** A failure of either stream ends both, so a broken file never looks whole. */
function compressed(source: Readable, encoding: Encoding): Readable {
  return pipeline(source, compressor(encoding), () => undefined);
}
