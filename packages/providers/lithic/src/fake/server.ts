import { once } from "node:events";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Clock } from "@purser/core";
import type { Lithic } from "lithic";
import { type AccountHolderStates, respondAccountHolders } from "./account-holders.ts";
import { type EmbedSessions, createEmbedSession, respondEmbed } from "./embeds.ts";
import { type LithicReply, lithicToken, refused } from "./replies.ts";
import { type LithicEmbedSessionRequest, lithicContract } from "./vendor-contract.ts";

/**
 * Replaces the response of a call; `lost` drops the response after the effect. With `isStored`, a response also comes after the
 * effect, and again for each repetition with its idempotency key.
 */
export type LithicFault =
  | { status: number; body: object; headers?: Record<string, string>; isStored?: true }
  | { status: number; text: string; headers?: Record<string, string> }
  | "lost"
  | "break"
  | "stall"
  | "hang";

/** `individual` and `address` are objects. */
type Fields = Readonly<Record<string, string>>;

export interface FakeLithic extends AccountHolderStates {
  url: string;
  apiKey: string;
  cards: Map<string, Lithic.Card>;
  embeds: EmbedSessions;
  requests: { call: string; fields: Fields; idempotencyKey: string | undefined }[];
  /** Makes the next calls, such as "POST /v1/cards", fail, one per fault. */
  fail(call: string, ...faults: LithicFault[]): void;
  close(): Promise<void>;
}

/** The part of Lithic's card API that the adapter uses, with state and idempotency keys. */
export async function startFakeLithic(clock: Clock): Promise<FakeLithic> {
  const cards = new Map<string, Lithic.Card>();
  const state: AccountHolderStates = { accountHolders: [], evaluation: "ACCEPTED" };
  const embeds: EmbedSessions = { sessions: new Map(), clock };
  const apiKey = "f1b0e6a1-2a3a-4a52-8a7c-0d6a8b6b7c11";
  const requests: FakeLithic["requests"] = [];
  const faults: { call: string; fault: LithicFault }[] = [];
  const responses = new Map<string, LithicReply>();

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url?.startsWith("/v1/embed?")) return respondEmbed(embeds, request.url, response);
    const call = `${request.method} ${request.url}`;
    const text = Buffer.concat((await request.toArray()) as Buffer[]).toString();
    const fields = (text === "" ? {} : JSON.parse(text)) as Fields;
    const idempotencyKey = request.headers["idempotency-key"] as string | undefined;
    requests.push({ call, fields, idempotencyKey });
    const index = faults.findIndex((planned) => planned.call === call);
    const [planned] = index === -1 ? [] : faults.splice(index, 1);
    const fault = planned?.fault;
    if (fault === "hang") return;
    const meta = { "content-type": "application/json" };
    if (fault === "break" || fault === "stall") {
      response.writeHead(200, { ...meta, "content-length": 1000 }).write('{"pan":"4111111289144142"');
      return fault === "break" ? void setImmediate(() => response.destroy()) : undefined;
    }
    if (fault !== undefined && fault !== "lost") {
      if ("isStored" in fault) {
        respond(cards, state, embeds, call, fields);
        responses.set(idempotencyKey!, fault);
      }
      const body = "text" in fault ? fault.text : JSON.stringify(fault.body);
      return void response.writeHead(fault.status, { ...meta, ...fault.headers }).end(body);
    }
    const isKnown = request.headers.authorization === apiKey;
    const answer = isKnown
      ? onceFor(call, fields, idempotencyKey)
      : refused(401, "Please provide a valid API key");
    const sent = text === "" ? {} : { request: fields };
    const [path = "", query = ""] = call.split("?");
    const params = query === "" ? {} : { query: Object.fromEntries(new URLSearchParams(query)) };
    lithicContract.exchange({ call: path, ...params, ...sent, status: answer.status, response: answer.body });
    if (fault === "lost") return void response.destroy();
    response.writeHead(answer.status, meta).end(JSON.stringify(answer.body));
  }

  /** Returns the first response for an idempotency key every time. */
  function onceFor(call: string, fields: Fields, key: string | undefined): LithicReply {
    if (key !== undefined && !/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(key)) {
      return refused(400, "Idempotency-Key is not a valid UUID");
    }
    const before = key === undefined ? undefined : responses.get(key);
    const answer = before ?? respond(cards, state, embeds, call, fields);
    if (key !== undefined) responses.set(key, answer);
    return answer;
  }

  const server = createServer((request, response) => void serve(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return Object.assign(state, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    apiKey,
    cards,
    embeds,
    requests,
    fail: (call: string, ...more: LithicFault[]) => {
      faults.push(...more.map((fault) => ({ call, fault })));
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  });
}

function respond(
  cards: Map<string, Lithic.Card>,
  state: AccountHolderStates,
  embeds: EmbedSessions,
  call: string,
  fields: Fields,
): LithicReply {
  if (/ \/v1\/account_holders/.test(call)) return respondAccountHolders(state, call, fields);
  if (call === "POST /v1/cards") return createCard(cards, fields);
  if (call.startsWith("GET /v1/cards?")) return listCards(cards, call);
  const [, embedded] = /^POST \/v1\/cards\/([\w-]+)\/embed$/.exec(call) ?? [];
  if (embedded !== undefined) {
    const shown = cards.get(embedded);
    const request = fields as unknown as LithicEmbedSessionRequest;
    return shown ? createEmbedSession(embeds, shown, request) : refused(404, `Card not found: ${embedded}`);
  }
  const [, method, token = ""] = /^(GET|PATCH) \/v1\/cards\/([\w-]+)$/.exec(call) ?? [];
  if (method === undefined) return refused(404, "The requested URL was not found");
  const card = cards.get(token);
  if (card === undefined) return refused(404, `Card not found: ${token}`);
  if (method === "PATCH") {
    if (card.state === "CLOSED") return refused(400, "Card has been closed and cannot be updated");
    Object.assign(card, { substatus: null }, fields);
  }
  // A key with access to card numbers gets number and CVV in every response.
  return { status: 200, body: { ...card } };
}

/** Lists cards by a part of their memo, without numbers. */
function listCards(cards: Map<string, Lithic.Card>, call: string): LithicReply {
  const wanted = new URL(call.slice("GET ".length), "http://lithic").searchParams.get("memo") ?? "";
  const data = [...cards.values()]
    .filter(({ memo }) => memo?.includes(wanted))
    .map(({ pan: _pan, cvv: _cvv, ...card }): Lithic.NonPCICard => card);
  return { status: 200, body: { data, has_more: false } };
}

function createCard(
  cards: Map<string, Lithic.Card>,
  { type = "", memo = "", state = "OPEN", account_token = lithicToken("acc0", 1) }: Fields,
): LithicReply {
  if (type !== "VIRTUAL" || (state !== "OPEN" && state !== "PAUSED"))
    return refused(400, "User error: type is invalid");
  const count = String(cards.size + 1);
  const card: Lithic.Card = {
    token: lithicToken("ca4d", cards.size + 1),
    account_token,
    card_program_token: lithicToken("b040", 1),
    created: "2026-03-02T09:00:00Z",
    cvv: "776",
    exp_month: "06",
    exp_year: "2031",
    funding: null,
    last_four: count.padStart(4, "0"),
    memo,
    pan: `411111128914${count.padStart(4, "0")}`,
    pin_status: "NOT_SET",
    spend_limit: 0,
    spend_limit_duration: "TRANSACTION",
    state,
    substatus: null,
    comment: "",
    type,
  };
  cards.set(card.token, card);
  return { status: 200, body: { ...card } };
}
