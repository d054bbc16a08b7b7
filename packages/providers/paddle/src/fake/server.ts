import { once } from "node:events";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { PaddleFields } from "./call.ts";
import { PaddleRefusal, errorBody } from "./refusal.ts";
import { respondAsPaddle } from "./routes.ts";
import type { PaddleState } from "./state.ts";
import { paddleContract } from "./vendor-contract.ts";

/** Replaces the response of a request; `lost` drops the response after the effect. */
export type PaddleFault =
  | { status: number; body: object; headers?: Record<string, string> }
  | { status: number; text: string; headers?: Record<string, string> }
  | "lost"
  | "break"
  | "stall"
  | "hang";

export interface Recorded {
  /** A method and path, such as "GET /products". */
  call: string;
  query: Readonly<Record<string, string>>;
  fields: PaddleFields;
}

/** The part of Paddle's API that the adapter uses. */
export async function servePaddle(state: PaddleState, apiKey: string) {
  const requests: Recorded[] = [];
  const faults: { call: string; fault: PaddleFault }[] = [];

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url = "" } = request;
    const address = new URL(url, `http://${request.headers.host}`);
    const call = `${method} ${address.pathname}`;
    const text = Buffer.concat((await request.toArray()) as Buffer[]).toString();
    const body = (text === "" ? {} : JSON.parse(text)) as PaddleFields;
    requests.push({ call, query: Object.fromEntries(address.searchParams), fields: body });
    const index = faults.findIndex((planned) => planned.call === call);
    const fault = index === -1 ? undefined : faults.splice(index, 1)[0]?.fault;
    if (fault !== undefined && fault !== "lost") return fail(response, fault);
    const result = responseTo(state, apiKey, request, { address, body });
    paddleContract.exchange({
      call,
      query: queryOf(address.searchParams),
      ...(text !== "" && { request: body }),
      status: result.status,
      response: result.body,
    });
    if (fault === "lost") return void response.destroy();
    response.writeHead(result.status, json).end(JSON.stringify(result.body));
  }

  const server = createServer((request, response) => void handle(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    /** Makes the next calls, such as "POST /transactions", fail, one per fault. */
    fail: (call: string, ...more: PaddleFault[]) => {
      faults.push(...more.map((fault) => ({ call, fault })));
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

const json = { "content-type": "application/json" };

function fail(response: ServerResponse, fault: Exclude<PaddleFault, "lost">): void {
  if (fault === "hang") return;
  if (fault === "break" || fault === "stall") {
    response.writeHead(200, { ...json, "content-length": 1000 }).write('{"data":');
    if (fault === "break") setImmediate(() => response.destroy());
    return;
  }
  const body = "text" in fault ? fault.text : JSON.stringify(fault.body);
  response.writeHead(fault.status, { ...json, ...fault.headers }).end(body);
}

interface ReceivedRequest {
  address: URL;
  body: PaddleFields;
}

function responseTo(
  state: PaddleState,
  apiKey: string,
  request: IncomingMessage,
  { address, body }: ReceivedRequest,
): { status: number; body: object } {
  const meta = { request_id: "d1a2f3b4-5c6d-4e7f-8a9b-0c1d2e3f4a5b" };
  try {
    authorize(request, apiKey);
    const { pathname: path, searchParams: query } = address;
    const { status, data } = respondAsPaddle(state, request.method!, { path, query, body });
    if (!Array.isArray(data)) return { status, body: { data, meta } };
    const { page, pagination } = pageOf(data as { id: string }[], address, state.mostPerPage);
    return { status, body: { data: page, meta: { ...meta, pagination } } };
  } catch (error) {
    if (!(error instanceof PaddleRefusal)) throw error;
    return { status: error.status, body: { ...errorBody(error), meta } };
  }
}

function authorize({ headers, method }: IncomingMessage, apiKey: string): void {
  const [, key] = /^bearer (.+)$/i.exec(headers.authorization ?? "") ?? [];
  if (key === undefined)
    throw new PaddleRefusal(403, "authentication_missing", "No Authorization header detected");
  if (key !== apiKey) throw new PaddleRefusal(403, "invalid_token", `The API key ${key} isn't valid`);
  // Paddle would use the account's default version. There is only one version so far.
  if (headers["paddle-version"] !== "1")
    throw new PaddleRefusal(400, "bad_request", "The Paddle-Version header is missing");
  const isJson = headers["content-type"] === "application/json";
  if (method !== "GET" && !isJson)
    throw new PaddleRefusal(415, "unsupported_media_type", "The body is not JSON");
}

/** A list is one parameter, with commas. */
function queryOf(parameters: URLSearchParams): Record<string, string | string[]> {
  const values = [...parameters].map(([name, value]): [string, string | string[]] => {
    const all = value.split(",");
    return [name, all.length === 1 ? value : all];
  });
  return Object.fromEntries(values);
}

/** Returns one page of a list, with the URL of the next page even if that is empty, as Paddle does. */
function pageOf(items: { id: string }[], { origin, pathname, searchParams: query }: URL, most: number) {
  const direction = (query.get("order_by") ?? "id[DESC]") === "id[ASC]" ? 1 : -1;
  const sorted = items.toSorted((one, other) => (one.id < other.id ? -direction : direction));
  const after = query.get("after");
  const rest = after === null ? sorted : sorted.slice(sorted.findIndex(({ id }) => id === after) + 1);
  const per_page = Math.min(Number(query.get("per_page") ?? 50), most);
  const page = rest.slice(0, per_page);
  const next = new URL(`${origin}${pathname}?${query.toString()}`);
  next.searchParams.set("after", page.at(-1)?.id ?? "");
  const has_more = rest.length > page.length;
  return { page, pagination: { per_page, next: next.href, has_more, estimated_total: items.length } };
}
