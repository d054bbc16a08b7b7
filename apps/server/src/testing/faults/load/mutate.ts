import { randomUUID } from "node:crypto";
import type { ApiResponse, ApiRequest } from "../api-request.ts";
import type { LoadContext } from "../load-context.ts";

/** Runs a mutation with retries under one idempotency key, and records the response. */
export async function mutate<Output>(
  context: LoadContext,
  unkeyed: Omit<ApiRequest, "key">,
): Promise<Output> {
  return (await mutateFor(context, unkeyed)).body as Output;
}

/** Like `mutate`, but returns the whole response. */
export async function mutateFor(
  { client, state }: LoadContext,
  unkeyed: Omit<ApiRequest, "key">,
): Promise<ApiResponse> {
  const request = { ...unkeyed, key: randomUUID() };
  const response = await client.send(request);
  if (response.status >= 400)
    throw new Error(`${request.method} ${request.path} was rejected with ${JSON.stringify(response.body)}`);
  state.requests.push({ request, response });
  return response;
}
