import { once } from "node:events";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Stripe } from "stripe";
import { type Fields, Refusal, invalid } from "./requests.ts";

/** What happens to a call instead of its answer, or, if it is lost, after its effect. */
export type Fault =
  | { status: number; error: object; headers?: Record<string, string> }
  | { status: number; text: string; headers?: Record<string, string> }
  | "lost"
  | "break"
  | "stall"
  | "drip"
  | "hang";

/** A request as it came. */
interface Recorded {
  call: string;
  fields: Fields;
  idempotencyKey: string | undefined;
}

export interface StripeServer {
  baseUrl: string;
  apiKey: string;
  /** The requests in their order. */
  log: Recorded[];
  /** Lets the next call of this kind, such as "POST /v1/customers", fail. */
  fail(call: string, fault: Fault): void;
  /** Stripe keeps idempotency keys for a day at least, and not for ever. */
  forgetKeys(): void;
  stop(): Promise<void>;
}

interface Answer {
  status: number;
  body: object;
  replayed?: boolean;
}

/** What Stripe answers to a call. Throws a {@link Refusal}. */
type Respond = (call: string, fields: Fields) => object;

/** Stripe's API over HTTP, with its key, version, idempotency keys and faults; what it answers is an area's own. */
export async function startServer(respond: Respond): Promise<StripeServer> {
  const apiKey = "sk_test_51Purser";
  const log: Recorded[] = [];
  const faults: { call: string; fault: Fault }[] = [];
  const kept: KeptAnswers = new Map();

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", headers } = request;
    const { pathname, searchParams } = new URL(request.url ?? "", "http://fake");
    const text = Buffer.concat((await request.toArray()) as Buffer[]).toString();
    const call = `${method} ${pathname}`;
    const fields = Object.fromEntries([...searchParams, ...new URLSearchParams(text)]);
    const idempotencyKey = headers["idempotency-key"] as string | undefined;
    log.push({ call, fields, idempotencyKey });
    const index = faults.findIndex((planned) => planned.call === call);
    const fault = index === -1 ? undefined : faults.splice(index, 1)[0]?.fault;
    const meta = { "content-type": "application/json", "request-id": `req_fake${log.length}` };
    if (fault === "hang") return;
    if (fault === "break" || fault === "stall" || fault === "drip") {
      response.writeHead(200, { ...meta, "content-length": 1_000_000 }).write('{"id":');
      if (fault === "break") setImmediate(() => response.destroy());
      if (fault === "drip") drip(response);
      return;
    }
    if (fault !== undefined && fault !== "lost") {
      const body = "text" in fault ? fault.text : JSON.stringify({ error: fault.error });
      return void response.writeHead(fault.status, { ...meta, ...fault.headers }).end(body);
    }
    const isKnown = headers.authorization === `Bearer ${apiKey}`;
    const isOfVersion = headers["stripe-version"] === Stripe.API_VERSION;
    const stranger = isKnown ? (isOfVersion ? undefined : unknownVersion) : unknownKey;
    const answer = stranger
      ? refused(stranger)
      : answerOnce(respond, kept, { call, fields, key: idempotencyKey });
    if (fault === "lost") return void response.destroy();
    const replay = answer.replayed ? { "idempotent-replayed": "true" } : {};
    response.writeHead(answer.status, { ...meta, ...replay }).end(JSON.stringify(answer.body));
  }

  const server = createServer((request, response) => void serve(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    apiKey,
    log,
    fail: (call, fault) => void faults.push({ call, fault }),
    forgetKeys: () => kept.clear(),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** Always a little more, and never all of it. */
function drip(response: ServerResponse): void {
  const drops = setInterval(() => response.write(" "), 5);
  response.on("close", () => clearInterval(drops));
}

const unknownKey = invalid(401, "Invalid API Key provided: sk_test_********user");
const unknownVersion = invalid(400, "Invalid Stripe API version.");

type KeptAnswers = Map<string, { fingerprint: string; answer: Answer }>;

/** The first answer for a key, a refusal included, is the answer for as long as the key is kept. */
function answerOnce(
  respond: Respond,
  kept: KeptAnswers,
  { call, fields, key }: { call: string; fields: Fields; key: string | undefined },
): Answer {
  if (key === undefined || call.startsWith("GET ")) return answerOf(respond, call, fields);
  const fingerprint = JSON.stringify([call, fields]);
  const before = kept.get(key);
  if (before === undefined) {
    const answer = answerOf(respond, call, fields);
    kept.set(key, { fingerprint, answer });
    return answer;
  }
  if (before.fingerprint === fingerprint) return { ...before.answer, replayed: true };
  const words =
    "Keys for idempotent requests can only be used with the same parameters they were first used with.";
  return refused(new Refusal(400, "idempotency_error", words));
}

function answerOf(respond: Respond, call: string, fields: Fields): Answer {
  try {
    // What is kept for a key is the thing as it was then.
    return { status: 200, body: structuredClone(respond(call, fields)) };
  } catch (error) {
    if (error instanceof Refusal) return refused(error);
    throw error;
  }
}

function refused({ status, type, message, code, param }: Refusal): Answer {
  return { status, body: { error: { type, message, ...(code && { code }), ...(param && { param }) } } };
}
