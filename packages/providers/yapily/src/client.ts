import type { Clock } from "@purser/core";
import createClient, { type Client } from "openapi-fetch";
import type { paths } from "./api.generated.ts";
import { type ErrorKinds, unreachableError, unreadableError, yapilyRefusal } from "./errors.ts";
import type { YapilyConfig } from "./settings.ts";

interface CallOptions {
  /** The error kinds of some statuses for this call. */
  errorKinds?: ErrorKinds;
  /** If it aborts, the call throws its reason unchanged. */
  signal?: AbortSignal | undefined;
}

interface ApiResponse<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

export interface YapilyClient {
  readonly clock: Clock;
  /**
   * Makes one request and returns the body of a successful response. Throws `YapilyError` for every other
   * response, and an `outage` if there is none.
   *
   * @param name The call in error messages, such as `GET /accounts`
   */
  call<T>(
    name: string,
    send: (api: Client<paths>, signal: AbortSignal) => Promise<ApiResponse<T>>,
    options?: CallOptions,
  ): Promise<T>;
}

export function createYapilyClient(config: YapilyConfig): YapilyClient {
  const { applicationId, applicationSecret, timeoutMs = 60_000, clock } = config;
  const credentials = Buffer.from(`${applicationId}:${applicationSecret}`).toString("base64");
  const api = createClient<paths>({
    baseUrl: config.baseUrl ?? "https://api.yapily.com",
    headers: { Authorization: `Basic ${credentials}` },
    // A redirect would send the credentials and the consent token to another host.
    redirect: "error",
  });
  return {
    clock,
    async call(name, send, { errorKinds = {}, signal } = {}) {
      const timeout = AbortSignal.timeout(timeoutMs);
      let received;
      try {
        received = await send(api, signal ? AbortSignal.any([signal, timeout]) : timeout);
      } catch (error) {
        signal?.throwIfAborted();
        throw unreachableError(name, error);
      }
      const { data, error, response } = received;
      if (!response.ok) throw yapilyRefusal(name, response, error, errorKinds, clock);
      if (typeof data !== "object" || data === null) throw unreadableError(name, "not an object");
      return data;
    },
  };
}
