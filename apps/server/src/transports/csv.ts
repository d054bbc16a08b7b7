import { Readable, addAbortSignal, pipeline } from "node:stream";
import { ByteLengthQueuingStrategy, type ReadableStream } from "node:stream/web";
import { Problem, csvEndOfLine } from "@purser/core";
import { type CsvPageRequest, clientLeft, createContext } from "@purser/platform";
import type { RestRoute } from "@purser/router";
import type { AuthenticatedRequest } from "../http/authentication.ts";
import { type Encoding, compressor, encodingFor } from "../http/compression.ts";
import type { HttpContext } from "../http/context.ts";
import { apiHeaders } from "../http/headers.ts";
import { respond } from "../http/response.ts";
import type { AppService } from "../service.ts";
import type { CsvLimits } from "./csv-limits.ts";

interface CsvExport {
  service: AppService;
  limits: CsvLimits;
  route: RestRoute;
  columns: readonly string[];
  authenticated: AuthenticatedRequest;
  query: URLSearchParams | null;
}

/** A page is about a megabyte, which the database writes in about 25 ms. */
const linesPerPage = 4000;

/**
 * Answers a list as CSV, to its last item. It calls the procedure page by page, so that each page has the procedure's rights
 * and its limits of time, and no transaction stays open. Items that others add meanwhile may be in it or not.
 */
export async function respondWithCsv(c: HttpContext, request: CsvExport): Promise<Response> {
  const { route, service, limits } = request;
  const { signal } = c.req.raw;
  const place = limits.place();
  let roleOfFile: string | undefined;
  const admit = (organizationId: string, role: string) => {
    // Another role may see other items, so the file would look whole and not be.
    if ((roleOfFile ??= role) !== role) throw new Problem("FORBIDDEN");
    place.take(organizationId);
  };
  const read = (after: string | null) => limits.schedule(() => readCsvPage(c, request, { after, admit }));
  let first: CsvPage;
  try {
    // The first page decides whether this is an answer or a problem.
    first = await read(null);
  } catch (error) {
    place.release();
    // The signal's reason is only a text.
    throw signal.aborted ? clientLeft(error) : error;
  }
  const encoding = encodingFor(c);
  const headers = {
    ...apiHeaders,
    "Content-Type": "text/csv; charset=utf-8; header=present",
    "Content-Disposition": `attachment; filename="${route.path.split("/").slice(2).join("-")}.csv"`,
    Vary: "Accept, Accept-Encoding",
    ...(encoding !== null && { "Content-Encoding": encoding }),
  };
  if (c.req.method === "HEAD") {
    place.release();
    return respond(c, 200, null, headers);
  }
  const cut = () => {
    service.metrics.edge.refused("unread");
    c.env.outgoing?.destroy();
  };
  const { responseTimeoutMs } = service.platform.settings.httpLimits;
  const chunks = csvChunks(request.columns, first, { read, responseTimeoutMs, cut });
  const source = Readable.from(chunks, { objectMode: false });
  source.on("error", (error) => {
    if (!signal.aborted) service.platform.logger.error({ err: error }, "A CSV response ended early");
  });
  source.once("close", () => place.release());
  addAbortSignal(signal, source);
  const body = encoding === null ? source : compressed(source, encoding);
  // By default it would count chunks of any size, and so take the whole list into memory.
  const strategy = new ByteLengthQueuingStrategy({ highWaterMark: 64 * 1024 });
  return respond(c, 200, Readable.toWeb(body, { strategy }) as ReadableStream<Uint8Array>, headers);
}

interface CsvPage {
  text: Buffer;
  nextAfter: string | null;
}

interface Reading {
  read: (after: string) => Promise<CsvPage>;
  /** How long a client may take to read a page. */
  responseTimeoutMs: number;
  /** Cuts off a client that does not. */
  cut: () => void;
}

async function* csvChunks(
  columns: readonly string[],
  first: CsvPage,
  { read, responseTimeoutMs, cut }: Reading,
): AsyncGenerator<Buffer, void, undefined> {
  yield Buffer.from(columns.join(",") + csvEndOfLine);
  let page = first;
  for (;;) {
    const next = page.nextAfter === null ? null : read(page.nextAfter);
    // The database writes the next page while this one is sent. If the client leaves, ignore the error of the page read ahead.
    const settled = next?.catch(() => undefined);
    const unread = setTimeout(cut, responseTimeoutMs).unref();
    try {
      yield page.text;
    } finally {
      clearTimeout(unread);
      // The file keeps its place until its last statement has ended.
      await settled;
    }
    if (next === null) return;
    page = await next;
  }
}

async function readCsvPage(
  c: HttpContext,
  { service, route, authenticated, query }: CsvExport,
  { after, admit }: { after: string | null; admit: CsvPageRequest["admit"] },
): Promise<CsvPage> {
  c.req.raw.signal.throwIfAborted();
  const pageQuery = new URLSearchParams(query ?? undefined);
  pageQuery.delete("limit");
  pageQuery.delete("after");
  const { credential } = authenticated;
  let { caller } = authenticated;
  if (after !== null) {
    pageQuery.set("after", after);
    // Sessions and keys end too, not only memberships.
    if (credential !== undefined) caller = await credential.resolve();
  }
  const csv = { limit: linesPerPage, signal: c.req.raw.signal, admit };
  const ctx = createContext(service.platform, { ...authenticated, caller, idempotencyKey: null, csv });
  const params = c.req.param();
  await route.call(ctx, { params, query: pageQuery, readBody: () => undefined });
  const { csv: text, nextAfter } = ctx.response;
  if (text === null) throw new Error(`${route.procedure} is declared as CSV but does not use asCsv`);
  return { text, nextAfter };
}

/** A failure of either stream ends both, so a broken file never looks whole. */
function compressed(source: Readable, encoding: Encoding): Readable {
  return pipeline(source, compressor(encoding), () => undefined);
}
