import { once } from "node:events";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type LemonSqueezyRequest, LemonSqueezyRefusal, respondAsLemonSqueezy } from "./routes.ts";
import type { LemonSqueezyState } from "./state.ts";
import { lemonSqueezyContract } from "./vendor-contract.ts";

/** Replaces the response of a request; `lost` drops the response after the effect. */
export type LemonSqueezyFault =
  | { status: number; body: object; headers?: Record<string, string> }
  | { status: number; text: string; headers?: Record<string, string> }
  | "lost"
  | "break"
  | "hang";

/** Lemon Squeezy's API over HTTP. */
export interface LemonSqueezyServer {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** All requests so far, in order. */
  readonly received: LemonSqueezyRequest[];
  /** Makes the next requests, such as "GET /v1/products", fail, one per fault. */
  fail(call: string, ...faults: LemonSqueezyFault[]): void;
  stop(): Promise<void>;
}

const apiKey = "eyJ0eXAiOiJKV1QifQ.purser.test";
const mediaType = "application/vnd.api+json";

export async function startLemonSqueezyServer(state: LemonSqueezyState): Promise<LemonSqueezyServer> {
  const received: LemonSqueezyRequest[] = [];
  const faults: { call: string; fault: LemonSqueezyFault }[] = [];

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams: query } = new URL(request.url ?? "", "http://fake");
    const text = Buffer.concat((await request.toArray()) as Buffer[]).toString();
    const call = `${request.method} ${pathname}`;
    const record: LemonSqueezyRequest = { call, query, body: text === "" ? undefined : JSON.parse(text) };
    received.push(record);
    const index = faults.findIndex((planned) => planned.call === call);
    const [planned] = index === -1 ? [] : faults.splice(index, 1);
    const fault = planned?.fault;
    const meta = { "content-type": mediaType };
    if (fault === "hang") return;
    if (fault === "break") {
      response.writeHead(200, { ...meta, "content-length": 1000 }).write('{"data":');
      return void setImmediate(() => response.destroy());
    }
    if (fault !== undefined && fault !== "lost") {
      const body = "text" in fault ? fault.text : JSON.stringify(fault.body);
      return void response.writeHead(fault.status, { ...meta, ...fault.headers }).end(body);
    }
    const { status, body } = responseTo(state, request, record);
    lemonSqueezyContract.exchange({
      call,
      query: nestedQuery(query),
      ...(text !== "" && { request: record.body }),
      status,
      response: body,
    });
    if (fault === "lost") return void response.destroy();
    response.writeHead(status, meta).end(JSON.stringify(body));
  }

  const server = createServer((request, response) => void handle(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    apiKey,
    received,
    fail: (call, ...more) => {
      faults.push(...more.map((fault) => ({ call, fault })));
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** Reads `filter[store_id]=1` as a field of an object, and `include=a,b` as a list. */
function nestedQuery(parameters: URLSearchParams): object {
  const lists: Record<string, string[]> = {};
  const objects: Record<string, Record<string, string>> = {};
  for (const [name, value] of parameters) {
    const [, group, field] = /^(\w+)\[(\w+)\]$/.exec(name) ?? [];
    if (group === undefined || field === undefined) lists[name] = value.split(",").filter(Boolean);
    else objects[group] = { ...objects[group], [field]: value };
  }
  return { ...lists, ...objects };
}

function responseTo(state: LemonSqueezyState, { headers }: IncomingMessage, received: LemonSqueezyRequest) {
  try {
    if (headers.authorization !== `Bearer ${apiKey}`) throw new LemonSqueezyRefusal(401, "Unauthenticated.");
    if (headers.accept !== mediaType || headers["content-type"] !== mediaType)
      throw new LemonSqueezyRefusal(415, "The request entity has a media type which is not supported.");
    return respondAsLemonSqueezy(state, received);
  } catch (error) {
    if (!(error instanceof LemonSqueezyRefusal)) throw error;
    const { status, message: detail, pointer } = error;
    const source = pointer === undefined ? {} : { source: { pointer } };
    return { status, body: { errors: [{ detail, status: String(status), ...source }] } };
  }
}
