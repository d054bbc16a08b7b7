import type { Clock } from "@purser/core";
import createClient, { type Client } from "openapi-fetch";
import type { paths } from "./api.generated.ts";
import type { YapilyConfig } from "./settings.ts";
import { type ErrorKinds, yapilyRefusal, unreachableError, unreadableError } from "./errors.ts";

interface CallOptions {
  refusals?: ErrorKinds;
  /** The caller's own signal. Where it aborts, its reason is thrown as it is. */
  signal?: AbortSignal | undefined;
}

interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

export interface YapilyClient {
  readonly clock: Clock;
  /**
   * Makes one call and gives the body of its success. Throws {@link YapilyError} for every other answer, and
   * `outage` where there is none.
   *
   * @param name What operators read, such as `GET /accounts`
   */
  call<T>(
    name: string,
    make: (api: Client<paths>, signal: AbortSignal) => Promise<Answer<T>>,
    options?: CallOptions,
  ): Promise<T>;
}

export function createYapilyClient(config: YapilyConfig): YapilyClient {
  const { applicationId, applicationSecret, timeoutMs = 60_000, clock } = config;
  const credentials = Buffer.from(`${applicationId}:${applicationSecret}`).toString("base64");
  const api = createClient<paths>({
    baseUrl: config.baseUrl ?? "https://api.yapily.com",
    headers: { Authorization: `Basic ${credentials}` },
    // A redirection would carry the consent's token to wherever it leads.
    redirect: "error",
  });
  return {
    clock,
    async call(name, make, { refusals = {}, signal } = {}) {
      const timeout = AbortSignal.timeout(timeoutMs);
      let answer;
      try {
        answer = await make(api, signal ? AbortSignal.any([signal, timeout]) : timeout);
      } catch (error) {
        signal?.throwIfAborted();
        throw unreachableError(name, error);
      }
      const { data, error, response } = answer;
      if (!response.ok) throw yapilyRefusal(name, response, error, refusals, clock);
      if (typeof data !== "object" || data === null) throw unreadableError(name, "no object");
      return data;
    },
  };
}
