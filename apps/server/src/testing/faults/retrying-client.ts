import { Agent, type IncomingMessage, request as httpRequest } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type { RandomSource } from "@purser/core";
import { sandboxSecret, signSandboxEvent } from "@purser/platform/inbox";
import type { ApiRequest, ApiResponse } from "./api-request.ts";
import type { ClusterNodes } from "./cluster-nodes.ts";
import { judgeResponse, judgeService } from "./invariants/responses.ts";
import {
  type Instance,
  type ProcessSupervisor,
  type ReportViolation,
  type ServerInstance,
} from "./process-supervisor.ts";

/** The timeout of one attempt. A synchronization may take long. */
const attemptMs = 40_000;

/** A limit counts for a minute. The attempts that failed during a fault may have used it up. */
const longestLimitMs = 60_000;

type CalledProcesses = Pick<
  ProcessSupervisor,
  "servers" | "settleLimitMs" | "faultEndedAt" | "timeoutFactor" | "authSecret"
> & { nodes: Pick<ClusterNodes, "mustServe"> | null };

/** A client that retries with the same idempotency key until the outcome is certain. */
export class RetryingClient {
  readonly counts = {
    requests: 0,
    retries: 0,
    responses: 0,
    unavailable: 0,
    broken: 0,
    slowest: { ms: 0, what: "" },
  };
  readonly #processes: CalledProcesses;
  readonly #random: RandomSource;
  readonly #reportViolation: ReportViolation;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 24 });
  #isClosed = false;

  constructor(processes: CalledProcesses, random: RandomSource, reportViolation: ReportViolation) {
    this.#processes = processes;
    this.#random = random;
    this.#reportViolation = reportViolation;
  }

  /**
   * Retries until a response is final, by its status and by `isFinal`. Waits for as long as a 429 says. Fails if the rest
   * takes too long without a fault.
   */
  async send(
    request: ApiRequest,
    isFinal: (response: ApiResponse) => boolean = () => true,
  ): Promise<ApiResponse> {
    const start = performance.now();
    const { settleLimitMs } = this.#processes;
    const limitedMs = () => (last?.status === 429 ? longestLimitMs : 0);
    const isOver = () =>
      performance.now() > Math.max(start, this.#processes.faultEndedAt) + limitedMs() + settleLimitMs;
    let last: ApiResponse | null = null;
    for (let isFirstAttempt = true; !this.#isClosed && !isOver(); isFirstAttempt = false) {
      last = await this.#attempt(request);
      if (last !== null && isCertain(last) && isFinal(last)) return { ...last, isFirstAttempt };
      this.counts.retries += 1;
      await sleep(retryAfterMs(last) ?? this.#random.whole(10, 120));
    }
    const when = this.#isClosed ? "before the run ended" : `in ${settleLimitMs / 1000} s without a fault`;
    throw new Error(
      `${request.method} ${request.path} got no final response ${when}; the last was ${JSON.stringify(last)}`,
    );
  }

  /** Like `send`, but returns the body of a successful response, and throws for any other. */
  async call<Body>(request: ApiRequest, isFinal?: (response: ApiResponse) => boolean): Promise<Body> {
    const response = await this.send(request, isFinal);
    if (response.status < 400) return response.body as Body;
    throw new Error(`${request.method} ${request.path} was rejected with ${JSON.stringify(response.body)}`);
  }

  /** Sends one attempt. Returns null if its outcome is uncertain. */
  async sendOnce(request: ApiRequest): Promise<ApiResponse | null> {
    const response = await this.#attempt(request);
    return response !== null && isCertain(response) ? response : null;
  }

  /** Ends all retries: a fault that failed has left the load running. */
  close(): void {
    this.#isClosed = true;
    this.#agent.destroy();
  }

  /** Sends one attempt to a random server, directly or through the faulty network. Null if the connection broke. */
  async #attempt(request: ApiRequest): Promise<ApiResponse | null> {
    const server = this.#random.pick(this.#processes.servers);
    const isDirect = this.#random.happens(0.5);
    const attempt: Attempt = { server, isDirect, before: { ...server }, sentTo: null };
    const start = performance.now();
    const mustServe = this.#processes.nodes?.mustServe(request, start) ?? false;
    this.counts.requests += 1;
    try {
      const response = await this.#sendTo(request, attempt);
      this.counts.responses += 1;
      const ms = performance.now() - start;
      this.#check(request, response, ms);
      const refusal = mustServe ? judgeService(request, response, ms, this.#processes.timeoutFactor) : null;
      if (refusal !== null) this.#reportViolation(refusal);
      return response;
    } catch (error) {
      this.counts.broken += 1;
      const { code = String(error) } = error as NodeJS.ErrnoException;
      if (isDirect && !isExpected(attempt))
        this.#reportViolation(
          `${request.method} ${request.path} to ${server.name} (${attempt.sentTo}) failed with ${code}`,
        );
      return null;
    }
  }

  #check(request: ApiRequest, response: ApiResponse, ms: number): void {
    const { slowest } = this.counts;
    const { status } = response;
    if (ms > slowest.ms) this.counts.slowest = { ms, what: `${request.method} ${request.path} ${status}` };
    if (status === 503) this.counts.unavailable += 1;
    const violation = judgeResponse(request, response, ms, this.#processes.timeoutFactor);
    if (violation !== null) this.#reportViolation(violation);
  }

  async #sendTo(request: ApiRequest, attempt: Attempt): Promise<ApiResponse> {
    const { body, headers } = this.#encode(request);
    const { server, isDirect } = attempt;
    const sent = httpRequest({
      host: "127.0.0.1",
      port: isDirect ? server.port : server.proxy.port,
      path: request.path,
      method: request.method,
      headers,
      // A kept-alive connection may be closed while a request is in flight, which is not a fault.
      agent: isDirect ? false : this.#agent,
      signal: AbortSignal.timeout(attemptMs * this.#processes.timeoutFactor),
    });
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.on("error", reject).on("response", resolve);
      sent.end(body, () => (attempt.sentTo = server.state));
    });
    const content = await text(response);
    const { statusCode: status = 0, headers: responseHeaders } = response;
    const isJson = responseHeaders["content-type"]?.includes("json") ?? false;
    return { status, headers: responseHeaders, body: isJson ? (JSON.parse(content) as unknown) : null };
  }

  #encode({ token, key, body, form, signedFor }: ApiRequest): {
    body: Buffer;
    headers: Record<string, string>;
  } {
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
      const secret = sandboxSecret({ authSecret: this.#processes.authSecret }, signedFor);
      for (const [name, value] of signSandboxEvent(secret, bytes, new Date())) headers[name] = value;
    }
    headers["content-length"] = String(bytes.length);
    return { body: bytes, headers };
  }
}

/** How long a 429 says to wait; null for any other outcome. */
function retryAfterMs(response: ApiResponse | null): number | null {
  return response?.status === 429 ? 1000 * Number(response.headers["retry-after"]) : null;
}

/** Whether the outcome is certain, so that the request need not be repeated. */
function isCertain({ status, body }: ApiResponse): boolean {
  if (status >= 500 || status === 429) return false;
  return !(status === 409 && (body as { code?: string }).code === "IDEMPOTENCY_IN_PROGRESS");
}

/** One attempt to send a request to a server. */
interface Attempt {
  server: ServerInstance;
  isDirect: boolean;
  /** The state of the server when the attempt began. */
  before: Instance;
  /** The state of the server when the request had been sent completely; null if that never happened. */
  sentTo: Instance["state"] | null;
}

/**
 * A direct connection may break only if the process was killed meanwhile. A stopping process may refuse new requests,
 * but must respond to those that it received before.
 */
function isExpected({ server, before, sentTo }: Attempt): boolean {
  if (before.state === "down" || server.kills > before.kills) return true;
  const wasStopped = before.state === "stopping" || server.stops > before.stops;
  return wasStopped && sentTo !== "up";
}
