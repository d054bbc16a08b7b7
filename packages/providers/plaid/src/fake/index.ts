import { once } from "node:events";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type FakeItem, newItem } from "./items.ts";
import { Refusal, refusalBody } from "./refusals.ts";
import { routes } from "./routes.ts";
import { type FakeState, emptyState } from "./state.ts";

/** What happens to a call instead of its answer. */
export type Fault =
  | { code: string; message?: string; headers?: Record<string, string> }
  | { status: number; text: string; headers?: Record<string, string> }
  | "cut"
  | "hang";

export interface FakePlaid extends FakeState {
  url: string;
  credentials: { clientId: string; secret: string };
  requests: { path: string; body: Record<string, unknown> }[];
  /** Lets the next calls of this path fail, one for each fault. */
  fail(path: string, ...faults: Fault[]): void;
  /** A person gives access to a bank, as at the end of Link. Gives the public token. */
  grant(institutionId: string, webhook: string | null): { publicToken: string; item: FakeItem };
  /** A person goes through a hosted link to its end. */
  finishLink(token: string, institutionId: string): FakeItem;
  /** A person breaks a hosted link off. */
  leaveLink(token: string): void;
  close(): Promise<void>;
}

/** Plaid's HTTP API, as far as the adapter uses it, with state: what is done to it can be read from it. */
export async function startFakePlaid(): Promise<FakePlaid> {
  const state = emptyState();
  const credentials = { clientId: "client-1", secret: "secret-1" };
  const requests: FakePlaid["requests"] = [];
  const faults: { path: string; fault: Fault }[] = [];
  const server = createServer((request, response) => {
    void answer(request, response);
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? "";
    const chunks = (await request.toArray()) as Buffer[];
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
    requests.push({ path, body });
    const index = faults.findIndex((planned) => planned.path === path);
    const [planned] = index === -1 ? [] : faults.splice(index, 1);
    if (planned !== undefined) return misbehave(response, planned.fault, state.nextId());
    const { status, body: answered } = outcome(request, path, body);
    send(response, status, json(answered));
  }

  function outcome(request: IncomingMessage, path: string, body: Record<string, unknown>) {
    const requestId = state.nextId();
    try {
      const { "plaid-client-id": clientId, "plaid-secret": secret } = request.headers;
      if (clientId !== credentials.clientId || secret !== credentials.secret) {
        throw new Refusal("INVALID_API_KEYS");
      }
      const route = routes[path];
      if (route === undefined) throw new Refusal("UNAUTHORIZED_ROUTE_ACCESS");
      return { status: 200, body: { ...route(state, body), request_id: requestId } };
    } catch (error) {
      if (error instanceof Refusal) return refusalBody(error, requestId);
      throw error;
    }
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const grant = granting(state);
  return Object.assign(state, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    credentials,
    requests,
    fail: (path: string, ...more: Fault[]) => {
      faults.push(...more.map((fault) => ({ path, fault })));
    },
    grant,
    finishLink: (token: string, institutionId: string) => finishLink(state, grant, token, institutionId),
    leaveLink: (token: string) => {
      const exit = { error: null, metadata: { status: "requires_credentials" } };
      state.links.get(token)?.sessions.push({ finished_at: finishedAt, exit, results: null });
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  });
}

const finishedAt = "2026-03-02T08:59:00Z";

function granting(state: FakeState): FakePlaid["grant"] {
  return (institutionId, webhook) => {
    const item = newItem(state.nextId(), institutionId, webhook);
    const publicToken = `public-sandbox-${state.nextId()}`;
    state.publicTokens.set(publicToken, item);
    return { publicToken, item };
  };
}

function finishLink(
  state: FakeState,
  grant: FakePlaid["grant"],
  token: string,
  institutionId: string,
): FakeItem {
  const link = state.links.get(token);
  if (link === undefined) throw new Error(`There is no link ${token}`);
  if (link.renews !== null) {
    link.renews.error = null;
    link.sessions.push({ finished_at: finishedAt, exit: null, results: { item_add_results: [] } });
    return link.renews;
  }
  const { publicToken, item } = grant(institutionId, link.webhook);
  const result = { public_token: publicToken, accounts: [], institution: { institution_id: institutionId } };
  link.sessions.push({ finished_at: finishedAt, exit: null, results: { item_add_results: [result] } });
  return item;
}

function misbehave(response: ServerResponse, fault: Fault, requestId: string): void {
  if (fault === "hang") return;
  if (fault === "cut") return void response.destroy();
  if ("text" in fault) return send(response, fault.status, fault.text, fault.headers);
  const { status, body } = refusalBody(new Refusal(fault.code, fault.message), requestId);
  send(response, status, json(body), fault.headers);
}

function send(response: ServerResponse, status: number, text: string, headers = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(text);
}

/** Amounts are kept as texts, and go out as the numbers that they say. */
function json(body: object): string {
  return JSON.stringify(body).replaceAll(/"(amount|current|available|limit)":"([^"]*)"/g, '"$1":$2');
}
