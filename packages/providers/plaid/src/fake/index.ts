import { once } from "node:events";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { LinkSessionItemAddResult, LinkSessionResults } from "plaid";
import { type FakeItem, newItem } from "./items.ts";
import { PlaidRefusal, refusalBody } from "./refusals.ts";
import { plaidRoutes } from "./routes.ts";
import { type PlaidState, emptyState } from "./state.ts";
import { plaidContract } from "./vendor-contract.ts";

/** Replaces the response to a request. */
export type PlaidFault =
  | { code: string; message?: string; headers?: Record<string, string> }
  | { status: number; text: string; headers?: Record<string, string> }
  | "cut"
  | "hang";

export interface PlaidFake extends PlaidState {
  url: string;
  credentials: { clientId: string; secret: string };
  requests: { path: string; body: Record<string, unknown> }[];
  /** Makes the next requests to this path fail, one per fault. */
  fail(path: string, ...faults: PlaidFault[]): void;
  /** A person grants access to a bank, as at the end of Link. */
  grant(institutionId: string, webhook: string | null): { publicToken: string; item: FakeItem };
  /** A person finishes a hosted link. */
  finishLink(token: string, institutionId: string): FakeItem;
  /** A person leaves a hosted link before its end. */
  leaveLink(token: string): void;
  close(): Promise<void>;
}

/** Starts the part of Plaid's HTTP API that the adapter uses. Tests read and change its state. */
export async function startPlaidFake(): Promise<PlaidFake> {
  const state = emptyState();
  const credentials = { clientId: "client-1", secret: "secret-1" };
  const requests: PlaidFake["requests"] = [];
  const faults: { path: string; fault: PlaidFault }[] = [];
  const server = createServer((request, response) => {
    void serve(request, response);
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? "";
    const chunks = (await request.toArray()) as Buffer[];
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
    requests.push({ path, body });
    const index = faults.findIndex((planned) => planned.path === path);
    const [planned] = index === -1 ? [] : faults.splice(index, 1);
    if (planned !== undefined) return sendFault(response, planned.fault, state.nextId());
    const { status, body: responseBody } = respond(request, path, body);
    const text = json(responseBody);
    plaidContract.exchange({ call: `POST ${path}`, request: body, status, response: JSON.parse(text) });
    send(response, status, text);
  }

  function respond(request: IncomingMessage, path: string, body: Record<string, unknown>) {
    const requestId = state.nextId();
    try {
      const { "plaid-client-id": clientId, "plaid-secret": secret } = request.headers;
      if (clientId !== credentials.clientId || secret !== credentials.secret) {
        throw new PlaidRefusal("INVALID_API_KEYS");
      }
      const route = plaidRoutes[path];
      if (route === undefined) throw new PlaidRefusal("UNAUTHORIZED_ROUTE_ACCESS");
      return { status: 200, body: { ...route(state, body), request_id: requestId } };
    } catch (error) {
      if (error instanceof PlaidRefusal) return refusalBody(error, requestId);
      throw error;
    }
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const grant = createGrant(state);
  return Object.assign(state, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    credentials,
    requests,
    fail: (path: string, ...more: PlaidFault[]) => {
      faults.push(...more.map((fault) => ({ path, fault })));
    },
    grant,
    finishLink: (token: string, institutionId: string) => finishLink(state, grant, token, institutionId),
    leaveLink: (token: string) => {
      const exit = { error: null, metadata: { status: "requires_credentials" } };
      state.links.get(token)?.sessions.push({ ...session, exit, results: null });
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  });
}

const session = { link_session_id: "session-1", finished_at: "2026-03-02T08:59:00Z" };

/** The results of a link that only adds items. */
const added = (...item_add_results: LinkSessionItemAddResult[]): LinkSessionResults => ({
  item_add_results,
  cra_item_add_results: [],
  cra_update_results: [],
  bank_income_results: [],
  payroll_income_results: [],
  document_income_results: null,
});

function createGrant(state: PlaidState): PlaidFake["grant"] {
  return (institutionId, webhook) => {
    const item = newItem(state.nextId(), institutionId, webhook);
    const publicToken = `public-sandbox-${state.nextId()}`;
    state.publicTokens.set(publicToken, item);
    return { publicToken, item };
  };
}

function finishLink(
  state: PlaidState,
  grant: PlaidFake["grant"],
  token: string,
  institutionId: string,
): FakeItem {
  const link = state.links.get(token);
  if (link === undefined) throw new Error(`There is no link ${token}`);
  if (link.renews !== null) {
    link.renews.error = null;
    link.sessions.push({ ...session, exit: null, results: added() });
    return link.renews;
  }
  const { publicToken, item } = grant(institutionId, link.webhook);
  const result = { public_token: publicToken, accounts: [], institution: { institution_id: institutionId } };
  link.sessions.push({ ...session, exit: null, results: added(result) });
  return item;
}

function sendFault(response: ServerResponse, fault: PlaidFault, requestId: string): void {
  if (fault === "hang") return;
  if (fault === "cut") return void response.destroy();
  if ("text" in fault) return send(response, fault.status, fault.text, fault.headers);
  const { status, body } = refusalBody(new PlaidRefusal(fault.code, fault.message), requestId);
  send(response, status, json(body), fault.headers);
}

function send(response: ServerResponse, status: number, text: string, headers = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(text);
}

/** The state holds amounts as text. Writes them as JSON numbers with the same digits. */
function json(body: object): string {
  return JSON.stringify(body).replaceAll(/"(amount|current|available|limit)":"([^"]*)"/g, '"$1":$2');
}
