import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type { RandomSource } from "@purser/core";
import { sandboxSecret, signSandboxEvent } from "@purser/platform/inbox";
import type { Complain, Instance, ProcessSupervisor, ServerInstance } from "./processes.ts";

/** A request to any of the servers. */
export interface Ask {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  path: string;
  token?: string;
  /** The Idempotency-Key. */
  key?: string;
  body?: unknown;
  form?: Record<string, string>;
  /** Signs the body as an event of this area's sandbox, anew for each attempt. */
  signedFor?: "banking" | "cards" | "billing";
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  /** The JSON of the body, or null. */
  body: unknown;
  /** Whether it answers the first attempt. */
  isFirst?: boolean;
}

/** How long a client retries before it fails. */
const timeoutMs = 90_000;
/** The timeout of one attempt. A synchronization may take long. */
const attemptMs = 40_000;
/** All other requests must finish within the service's own limits. */
const slowMs = 15_000;

/** A careful client: it retries with the same idempotency key until the outcome is certain. */
export class Client {
  readonly tally = {
    requests: 0,
    retries: 0,
    answers: 0,
    unavailable: 0,
    broken: 0,
    slowest: { ms: 0, what: "" },
  };
  readonly #stage: ProcessSupervisor;
  readonly #chance: RandomSource;
  readonly #complain: Complain;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 24 });

  constructor(processes: ProcessSupervisor, chance: RandomSource, complain: Complain) {
    this.#stage = processes;
    this.#chance = chance;
    this.#complain = complain;
  }

  /** Retries until an answer is final, by its status and by `isFinal`. */
  async ask(ask: Ask, isFinal: (answer: Answer) => boolean = () => true): Promise<Answer> {
    const until = performance.now() + timeoutMs;
    let last: Answer | null = null;
    for (let isFirst = true; performance.now() < until; isFirst = false) {
      last = await this.#attempt(ask);
      if (last !== null && isSettled(last) && isFinal(last)) return { ...last, isFirst };
      this.tally.retries += 1;
      await sleep(this.#chance.whole(10, 120));
    }
    throw new Error(`${ask.method} ${ask.path} got no final answer; the last was ${JSON.stringify(last)}`);
  }

  /** Returns the body of a successful answer. Throws for any other. */
  async get<Body>(ask: Ask, isFinal?: (answer: Answer) => boolean): Promise<Body> {
    const answer = await this.ask(ask, isFinal);
    if (answer.status < 400) return answer.body as Body;
    throw new Error(`${ask.method} ${ask.path} was rejected with ${JSON.stringify(answer.body)}`);
  }

  /** Sends one attempt. Returns null if its outcome is uncertain. */
  async askOnce(ask: Ask): Promise<Answer | null> {
    const answer = await this.#attempt(ask);
    return answer !== null && isSettled(answer) ? answer : null;
  }

  close(): void {
    this.#agent.destroy();
  }

  /** Sends one attempt to a random server, directly or through the faulty network. Null if the connection broke. */
  async #attempt(ask: Ask): Promise<Answer | null> {
    const server = this.#chance.pick(this.#stage.servers);
    const isStraight = this.#chance.happens(0.5);
    const attempt: Attempt = { server, isStraight, before: { ...server }, sentTo: null };
    const begun = performance.now();
    this.tally.requests += 1;
    try {
      const answer = await this.#send(ask, attempt);
      this.tally.answers += 1;
      this.#judge(ask, answer, performance.now() - begun);
      return answer;
    } catch (error) {
      this.tally.broken += 1;
      const { code = String(error) } = error as NodeJS.ErrnoException;
      if (isStraight && !isExcused(attempt))
        this.#complain(`${server.name} was ${attempt.sentTo} for ${ask.method} ${ask.path}, and: ${code}`);
      return null;
    }
  }

  #judge({ method, path }: Ask, { status, headers, body }: Answer, ms: number): void {
    const { tally } = this;
    if (ms > tally.slowest.ms) tally.slowest = { ms, what: `${method} ${path} ${status}` };
    if (status === 503) tally.unavailable += 1;
    if (status === 500 || (status === 503 && headers["retry-after"] === undefined))
      this.#complain(`${method} ${path} was answered with ${status} ${JSON.stringify(body)}`);
    if (ms > slowMs && !path.endsWith("/sync"))
      this.#complain(`${method} ${path} took ${Math.round(ms)} ms to be answered with ${status}`);
  }

  async #send(ask: Ask, attempt: Attempt): Promise<Answer> {
    const { body, headers } = this.#written(ask);
    const { server, isStraight } = attempt;
    const sent = request({
      host: "127.0.0.1",
      port: isStraight ? server.port : server.detour.port,
      path: ask.path,
      method: ask.method,
      headers,
      // A kept-alive connection may be closed while a request is in flight, which is not a fault.
      agent: isStraight ? false : this.#agent,
      signal: AbortSignal.timeout(attemptMs),
    });
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.on("error", reject).on("response", resolve);
      sent.end(body, () => (attempt.sentTo = server.state));
    });
    const content = await text(response);
    const { statusCode: status = 0, headers: answered } = response;
    const isJson = answered["content-type"]?.includes("json") ?? false;
    return { status, headers: answered, body: isJson ? (JSON.parse(content) as unknown) : null };
  }

  #written({ token, key, body, form, signedFor }: Ask): { body: Buffer; headers: Record<string, string> } {
    const headers: Record<string, string> = {};
    if (token !== undefined) headers["authorization"] = `Bearer ${token}`;
    if (key !== undefined) headers["idempotency-key"] = key;
    if (form !== undefined) {
      headers["content-type"] = "application/x-www-form-urlencoded";
      return { body: Buffer.from(new URLSearchParams(form).toString()), headers };
    }
    const bytes = Buffer.from(body === undefined ? "" : JSON.stringify(body));
    if (body !== undefined) headers["content-type"] = "application/json";
    if (signedFor !== undefined) {
      const secret = sandboxSecret({ authSecret: this.#stage.authSecret }, signedFor);
      for (const [name, value] of signSandboxEvent(secret, bytes, new Date())) headers[name] = value;
    }
    headers["content-length"] = String(bytes.length);
    return { body: bytes, headers };
  }
}

/** Whether an answer is final, and does not ask to repeat the request. */
function isSettled({ status, body }: Answer): boolean {
  if (status >= 500 || status === 429) return false;
  return !(status === 409 && (body as { code?: string }).code === "IDEMPOTENCY_IN_PROGRESS");
}

/** One attempt to send a request to a server. */
interface Attempt {
  server: ServerInstance;
  isStraight: boolean;
  /** The state of the server when the attempt began. */
  before: Instance;
  /** The state of the server when the request had been sent completely; null if that never happened. */
  sentTo: Instance["state"] | null;
}

/**
 * A direct connection may break only if the process was killed meanwhile. A stopping process may refuse new requests,
 * but must answer those that it received before.
 */
function isExcused({ server, before, sentTo }: Attempt): boolean {
  if (before.state === "down" || server.deaths > before.deaths) return true;
  const wasStopped = before.state === "stopping" || server.stops > before.stops;
  return wasStopped && sentTo !== "up";
}
