import { once } from "node:events";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { models } from "@polar-sh/sdk/2026-10";
import type { PaymentProvider } from "@purser/billing/ports";
import type { BillingFake, SignedEvent } from "@purser/billing/testing";
import type { Clock } from "@purser/core";
import { polarPayments } from "../payments.ts";
import type { PolarConfig } from "../settings.ts";
import { newCatalog } from "./catalog.ts";
import { type PolarEvent, bodyOf, signPolarEvent } from "./events.ts";
import {
  completeFakeCheckout,
  deleteFakeCustomer,
  endFakeSubscription,
  eventsOf,
  failFakePayment,
  pauseFakePolarSubscription,
  renewFakeSubscription,
  scheduleFakeCancellation,
  scheduleFakePause,
} from "./lifecycle.ts";
import { PolarRefusal, respondAsPolar } from "./routes.ts";
import { type PolarState, requireResource } from "./state.ts";
import { polarContract } from "./vendor-contract.ts";

/** Replaces the response of a call; `none` lets it pass, and `lost` drops the response after the effect. */
export type PolarFault =
  | "none"
  | { status: number; body: object; headers?: Record<string, string> }
  | { status: number; text: string; headers?: Record<string, string> }
  | "lost"
  | "break"
  | "stall"
  | "hang";

export interface PolarFake extends BillingFake {
  readonly baseUrl: string;
  readonly accessToken: string;
  /** The signing secret of our webhook endpoint. */
  readonly secret: string;
  readonly state: PolarState;
  /** All requests so far, such as "GET /v1/products/?page=1", in order. */
  readonly calls: { call: string; body: unknown }[];
  /** Returns an adapter with other settings that calls this fake. */
  providerWith(config?: Partial<PolarConfig>): PaymentProvider;
  /** Makes the next calls of a method and path, such as "GET /v1/products/", fail, one per fault. */
  fail(call: string, ...faults: PolarFault[]): void;
  /** Sets any fields of a subscription. */
  put(subscriptionId: string, fields: Partial<models.Subscription>): SignedEvent[];
  /** Schedules a pause for the end of the period. */
  planPause(subscriptionId: string): SignedEvent[];
  /** Deletes a customer, as the seller can. */
  deleteCustomer(id: string): SignedEvent[];
  /** Changes a product, as the seller can. */
  changeProduct(id: string, fields: Partial<models.Product>): SignedEvent[];
}

/** The part of Polar that the adapter uses: its API with state, its customers and its webhooks. */
export async function startPolarFake({ clock }: { clock: Clock }): Promise<PolarFake> {
  const state: PolarState = {
    clock,
    products: newCatalog(),
    customers: [],
    members: [],
    checkouts: [],
    subscriptions: [],
  };
  const accessToken = "polar_oat_0Kx7vLr2uZ5sQw9eTy1mBn4cHd8jFg3aPi6o";
  const secret = `whsec_${Buffer.from("thirty-two bytes to sign it with").toString("base64")}`;
  const server = await startServer(state, accessToken);
  const sign = (events: PolarEvent[]) =>
    events.map((one) => signPolarEvent(bodyOf(one, clock.now()), { secret, at: clock.now() }));
  const providerWith = (config: Partial<PolarConfig> = {}) =>
    polarPayments({
      accessToken,
      webhookSecrets: [secret],
      environment: "sandbox",
      baseUrl: server.baseUrl,
      ...config,
    });
  return {
    ...server,
    accessToken,
    secret,
    state,
    provider: providerWith(),
    providerWith,
    get requests() {
      return server.calls.length;
    },
    complete: (reference) => {
      const { subscriptionId, events } = completeFakeCheckout(state, reference);
      return { subscriptionId, events: sign(events) };
    },
    renew: (id) => sign(renewFakeSubscription(state, id)),
    failPayment: (id) => sign(failFakePayment(state, id)),
    cancelAtPeriodEnd: (id) => sign(scheduleFakeCancellation(state, id)),
    end: (id) => sign(endFakeSubscription(state, id)),
    pause: (id) => sign(pauseFakePolarSubscription(state, id)),
    put: (id, fields) =>
      sign(eventsOf(Object.assign(requireResource(state.subscriptions, id), fields), "updated")),
    planPause: (id) => sign(scheduleFakePause(state, id)),
    deleteCustomer: (id) => sign(deleteFakeCustomer(state, id)),
    changeProduct: (id, fields) =>
      sign([{ type: "product.updated", data: Object.assign(requireResource(state.products, id), fields) }]),
    resign: ({ body, headers }) =>
      signPolarEvent(body.toString(), { secret, at: clock.now(), id: headers.get("webhook-id")! }),
  };
}

async function startServer(state: PolarState, accessToken: string) {
  const calls: PolarFake["calls"] = [];
  const faults: { call: string; fault: PolarFault }[] = [];

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url = "" } = request;
    const { pathname } = new URL(url, "http://fake");
    const text = Buffer.concat((await request.toArray()) as Buffer[]).toString();
    calls.push({ call: `${method} ${url}`, body: text === "" ? undefined : JSON.parse(text) });
    const index = faults.findIndex(({ call }) => call === `${method} ${pathname}`);
    const [planned] = index === -1 ? [] : faults.splice(index, 1);
    const fault = planned?.fault;
    if (fault === "hang") return;
    const meta = { "content-type": "application/json" };
    if (fault === "break" || fault === "stall") {
      response.writeHead(200, { ...meta, "content-length": 1000 }).write('{"id":');
      return fault === "break" ? void setImmediate(() => response.destroy()) : undefined;
    }
    if (typeof fault === "object") {
      const body = "text" in fault ? fault.text : JSON.stringify(fault.body);
      return void response.writeHead(fault.status, { ...meta, ...fault.headers }).end(body);
    }
    const { status, body } = responseTo(state, request, calls.at(-1)!.body, accessToken);
    const query = queryOf(new URL(url, "http://fake").searchParams);
    polarContract.exchange({
      call: `${method} ${pathname}`,
      ...(method === "GET" && { query }),
      request: calls.at(-1)!.body,
      status,
      response: body,
    });
    if (fault === "lost") return void response.destroy();
    response.writeHead(status, meta).end(JSON.stringify(body));
  }

  const server = createServer((request, response) => void serve(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    fail: (call: string, ...more: PolarFault[]) => {
      faults.push(...more.map((fault) => ({ call, fault })));
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function responseTo(state: PolarState, request: IncomingMessage, body: unknown, accessToken: string) {
  const { method = "", url = "", headers } = request;
  // Polar answers 404 for a version that it does not serve.
  if (headers["polar-version"] !== "2026-10") return { status: 404, body: { detail: "Not Found" } };
  if (headers.authorization !== `Bearer ${accessToken}`)
    return {
      status: 401,
      body: { error: "invalid_token", error_description: "The access token is invalid" },
    };
  const { pathname: path, searchParams: query } = new URL(url, "http://fake");
  try {
    return {
      status: method === "POST" ? 201 : 200,
      body: respondAsPolar(state, { method, path, query, body }),
    };
  } catch (error) {
    if (error instanceof PolarRefusal) return { status: error.status, body: error.body };
    throw error;
  }
}

/** A parameter that is sent several times is a list. */
function queryOf(parameters: URLSearchParams): Record<string, string | string[]> {
  const names = [...new Set(parameters.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const values = parameters.getAll(name);
      return [name, values.length === 1 ? values[0]! : values];
    }),
  );
}
