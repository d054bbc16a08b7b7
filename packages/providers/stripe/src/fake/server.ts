import { once } from "node:events";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Clock } from "@purser/core";
import { Stripe } from "stripe";
import { respondBilling } from "./billing/routes.ts";
import { type BillingState, emptyBilling } from "./billing/state.ts";
import { type IssuingState, emptyIssuing, respondIssuing } from "./issuing/routes.ts";
import { stripeContract } from "./vendor-contract.ts";
import { type FormFields, StripeRefusal, invalidRequest, nestedFields } from "./requests.ts";

/** Replaces the response to a call. After `lost` the call has its effect, and only the response is missing. */
export type StripeFault =
  | { status: number; error: object; headers?: Record<string, string> }
  | { status: number; text: string; headers?: Record<string, string> }
  | "lost"
  | "break"
  | "stall"
  | "drip"
  | "hang";

interface RecordedRequest {
  call: string;
  fields: FormFields;
  idempotencyKey: string | undefined;
}

/** Stripe's API on this computer. */
export interface StripeServer {
  baseUrl: string;
  apiKey: string;
  /** All requests, oldest first. */
  log: RecordedRequest[];
  billing: BillingState;
  issuing: IssuingState;
  /** Makes the next request of this kind fail, such as "POST /v1/customers". */
  fail(call: string, fault: StripeFault): void;
  /** Expires all idempotency keys. Stripe removes them after at least 24 hours. */
  forgetKeys(): void;
  stop(): Promise<void>;
}

/** Starts the server. It checks the API key and version, and implements idempotency keys and faults. */
export async function startStripeServer({ clock }: { clock: Clock }): Promise<StripeServer> {
  const apiKey = "sk_test_51Purser";
  const log: RecordedRequest[] = [];
  const faults: { call: string; fault: StripeFault }[] = [];
  const stored: StoredResponses = new Map();
  const billing = emptyBilling(clock);
  const issuing = emptyIssuing();
  const respond: Respond = (call, fields) =>
    / \/v1\/(issuing\/|ephemeral_keys$)/.test(call)
      ? respondIssuing(issuing, call, fields)
      : respondBilling(billing, call, fields);

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
      if ("error" in fault) storeFailure(stored, { call, fields, key: idempotencyKey }, fault);
      const body = "text" in fault ? fault.text : JSON.stringify({ error: fault.error });
      return void response.writeHead(fault.status, { ...meta, ...fault.headers }).end(body);
    }
    const hasValidKey = headers.authorization === `Bearer ${apiKey}`;
    const hasValidVersion = headers["stripe-version"] === Stripe.API_VERSION;
    const refusal = hasValidKey ? (hasValidVersion ? undefined : unknownVersion) : unknownKey;
    const answer = refusal
      ? refused(refusal)
      : respondOnce(respond, stored, { call, fields, key: idempotencyKey });
    stripeContract.exchange({
      call,
      ...(searchParams.size > 0 && { query: nestedFields(searchParams) }),
      ...(text !== "" && { form: nestedFields(new URLSearchParams(text)) }),
      status: answer.status,
      response: answer.body,
    });
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
    billing,
    issuing,
    fail: (call, fault) => void faults.push({ call, fault }),
    forgetKeys: () => stored.clear(),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** Sends a byte every few milliseconds and never ends. */
function drip(response: ServerResponse): void {
  const timer = setInterval(() => response.write(" "), 5);
  response.on("close", () => clearInterval(timer));
}

const unknownKey = invalidRequest(401, "Invalid API Key provided: sk_test_********user");
const unknownVersion = invalidRequest(400, "Invalid Stripe API version.");

/** Returns the response body. Throws a {@link StripeRefusal}. */
type Respond = (call: string, fields: FormFields) => object;

interface FakeResponse {
  status: number;
  body: object;
  replayed?: boolean;
}

type StoredResponses = Map<string, { fingerprint: string; response: FakeResponse }>;

interface KeyedRequest {
  call: string;
  fields: FormFields;
  key: string | undefined;
}

/**
 * Stores a failure of an executed request, as https://docs.stripe.com/api/idempotent_requests describes. Requests that
 * conflict, exceed the rate limit or have a wrong key are not executed.
 */
function storeFailure(
  stored: StoredResponses,
  { call, fields, key }: KeyedRequest,
  { status, error }: { status: number; error: object },
): void {
  if (key === undefined || [401, 409, 429].includes(status)) return;
  stored.set(key, { fingerprint: JSON.stringify([call, fields]), response: { status, body: { error } } });
}

/** Stripe stores the first response for a key, errors included, and replays it. */
function respondOnce(
  respond: Respond,
  stored: StoredResponses,
  { call, fields, key }: KeyedRequest,
): FakeResponse {
  if (key === undefined || call.startsWith("GET ")) return responseOf(respond, call, fields);
  const fingerprint = JSON.stringify([call, fields]);
  const first = stored.get(key);
  if (first === undefined) {
    const response = responseOf(respond, call, fields);
    stored.set(key, { fingerprint, response });
    return response;
  }
  if (first.fingerprint === fingerprint) return { ...first.response, replayed: true };
  const message =
    "Keys for idempotent requests can only be used with the same parameters they were first used with.";
  return refused(new StripeRefusal(400, "idempotency_error", message));
}

function responseOf(respond: Respond, call: string, fields: FormFields): FakeResponse {
  try {
    // A stored response must not change with the object.
    return { status: 200, body: structuredClone(respond(call, fields)) };
  } catch (error) {
    if (error instanceof StripeRefusal) return refused(error);
    throw error;
  }
}

function refused({ status, type, message, code, param }: StripeRefusal): FakeResponse {
  return { status, body: { error: { type, message, ...(code && { code }), ...(param && { param }) } } };
}
