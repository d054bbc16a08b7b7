import type { RestRoute } from "@purser/router";

interface RestParts {
  token?: string | null;
  apiKey?: string | null;
  /** Replaces the fields that belong in the body. */
  rawBody?: string | null;
  /** Added to the fields that belong in the query. */
  extraQuery?: readonly (readonly [name: string, value: string])[];
}

/** Builds the request that carries this input to a route: parameters in the path, the rest in the query or body. */
export function restRequest(
  route: Pick<RestRoute, "method" | "path" | "parameters">,
  input: Record<string, unknown>,
  parts: RestParts = {},
): Request {
  const { token = null, apiKey = null, rawBody = null, extraQuery = [] } = parts;
  const rest = new Map(Object.entries(input));
  let path: string = route.path;
  for (const { parameter, field } of route.parameters) {
    path = path.replace(`:${parameter}`, () =>
      encodeURIComponent(inText(rest.get(field) ?? "").toWellFormed()),
    );
    rest.delete(field);
  }
  const hasBody = route.method === "POST" || route.method === "PATCH";
  const query = new URLSearchParams();
  for (const [name, value] of extraQuery) query.append(name.toWellFormed(), value.toWellFormed());
  for (const [name, value] of hasBody ? [] : rest)
    query.append(name.toWellFormed(), inText(value).toWellFormed());
  const headers = new Headers({ "content-type": "application/json" });
  if (token !== null) headers.set("authorization", `Bearer ${token}`);
  if (apiKey !== null) headers.set("x-api-key", apiKey);
  return new Request(`http://localhost:3000${path}${query.size > 0 ? `?${query.toString()}` : ""}`, {
    method: route.method,
    headers,
    body: hasBody ? (rawBody ?? JSON.stringify(Object.fromEntries(rest))) : null,
  });
}

function inText(value: unknown): string {
  if (typeof value === "string") return value;
  return value instanceof Date ? value.toISOString() : JSON.stringify(value);
}

/** Reads a response to its end, or a stream to its first message. */
export async function readResponse(response: Response): Promise<string> {
  if (response.headers.get("content-type") !== "text/event-stream") return response.text();
  const reader = response.body!.getReader();
  const { value } = await reader.read();
  await reader.cancel();
  return new TextDecoder().decode(value);
}
