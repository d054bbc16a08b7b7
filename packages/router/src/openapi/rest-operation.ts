import { type ProblemCode, problemCatalog } from "@purser/core";
import { audiences } from "../meta.ts";
import type { RestRoute } from "../rest.ts";
import { streamedValue } from "../stream.ts";
import { firstSentence, headersOf, json, refusal } from "./components.ts";
import { type Json, descriptionOf, jsonSchema } from "./json-schema.ts";

/** Describes a REST route. `path` is its address in OpenAPI's notation. Contracts with an id are added to `schemas`. */
export function restOperation(route: RestRoute, path: string, schemas: Json): Json {
  const { properties, required = [] } = jsonSchema(route.input, "input", schemas) as {
    properties: Record<string, Json>;
    required?: string[];
  };
  const names = [...path.matchAll(/\{(\w+)\}/g)];
  const inPath = new Map(route.parameters.map(({ field }, index) => [field, names[index]![1]]));
  const others = Object.keys(properties).filter((field) => !inPath.has(field));
  const hasBody = route.method === "POST" || route.method === "PATCH";
  const described = (where: Json, field: string): Json => {
    const { description = descriptionOf(properties[field]!, schemas), ...schema } = properties[field]!;
    return { ...where, description, schema };
  };
  const parameters = [
    ...[...inPath].map(([field, name]) => described({ name, in: "path", required: true }, field)),
    ...(hasBody ? [] : others).map((name) =>
      described({ name, in: "query", required: required.includes(name) }, name),
    ),
    ...(route.type === "mutation" ? [idempotencyKeyOf(route)] : []),
    ...(route.type === "subscription" ? [lastEventId] : []),
  ];
  return {
    operationId: route.procedure,
    tags: [tagOf(route)],
    ...texts(route),
    ...(route.meta.access === "public" && { security: [] }),
    parameters,
    ...(hasBody && others.length > 0 && { requestBody: body(others, properties, required) }),
    responses: responses(route, schemas),
  };
}

export const tagOf = ({ procedure }: RestRoute) => procedure.slice(0, procedure.lastIndexOf("."));

/** The first sentence as the summary, and the whole text as the description. */
function texts({ meta, type, method }: RestRoute): Json {
  const { summary, access, returnsSecret, errors = [] } = meta;
  const own = errors.map((code) => `\`${code}\``).join(", ");
  const paragraphs = [
    summary,
    audiences[access],
    ...(type === "mutation" && !returnsSecret ? ["Repeat it safely with an `Idempotency-Key`."] : []),
    ...(type === "query" && method === "POST"
      ? ["Stores nothing. It is a POST because its input is long."]
      : []),
    ...(own === "" ? [] : [`Errors of its own: ${own}.`]),
  ];
  return { summary: firstSentence(summary), description: paragraphs.join("\n\n") };
}

function body(fields: string[], properties: Record<string, Json>, allRequired: string[]): Json {
  const required = fields.filter((field) => allRequired.includes(field));
  return {
    required: required.length > 0,
    content: json({
      type: "object",
      properties: Object.fromEntries(fields.map((field) => [field, properties[field]])),
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    }),
  };
}

function responses(route: RestRoute, schemas: Json): Json {
  const isMutation = route.type === "mutation";
  const success = {
    description: route.meta.returns ?? "Success, without a body.",
    headers: {
      ...headersOf("X-Request-Id"),
      ...(isMutation && headersOf("Idempotency-Replayed")),
      ...("after" in route.input.shape && headersOf("Link")),
    },
    ...(route.status !== 204 && { content: contentOf(route, schemas) }),
  };
  const byStatus = Map.groupBy(refusalsOf(route), (code) => problemCatalog[code][0]);
  return {
    [route.status]: success,
    ...Object.fromEntries(
      [...byStatus].map(([status, codes]) => [
        status,
        refusal(
          status,
          codes.map((code) => [code, problemCatalog[code][1]]),
        ),
      ]),
    ),
  };
}

/** The content of a stream is described by the JSON of its messages' `data`. */
function contentOf({ output, csv, path }: RestRoute, schemas: Json): Json {
  const value = streamedValue(output);
  if (value !== undefined) return { "text/event-stream": { schema: jsonSchema(value, "output", schemas) } };
  return { ...json(jsonSchema(output, "output", schemas)), ...(csv && csvContent(csv, path)) };
}

/** The same list as CSV. `limit` and `after` do not apply. */
const csvContent = (columns: readonly string[], path: string): Json => ({
  "text/csv": {
    schema: {
      type: "string",
      description: `All items as CSV (RFC 4180, UTF-8), to the last one: \`limit\` and \`after\` are ignored. Columns: ${columns.join(", ")}. A text that a spreadsheet would run as a formula has an apostrophe in front. A link gets the same file at \`${path}.csv\`.`,
      examples: [`${columns.join(",")}\r\n`],
    },
  },
});

/** All error codes of a route: those that the procedure declares, and those of every route of its kind. */
function refusalsOf({ type, method, meta }: RestRoute): ProblemCode[] {
  const codes: ProblemCode[] = [
    ...(meta.errors ?? []),
    "VALIDATION_FAILED",
    "UNAUTHENTICATED",
    "RATE_LIMITED",
  ];
  if (type === "mutation")
    codes.push("UNTRUSTED_ORIGIN", "IDEMPOTENCY_KEY_REUSED", "IDEMPOTENCY_IN_PROGRESS");
  if (method === "POST" || method === "PATCH") codes.push("MALFORMED_JSON", "UNSUPPORTED_MEDIA_TYPE");
  // The body of DELETE is ignored, but its size is limited too.
  if (method !== "GET") codes.push("PAYLOAD_TOO_LARGE");
  codes.push("INTERNAL", "UNAVAILABLE");
  return codes.toSorted((one, other) => problemCatalog[one][0] - problemCatalog[other][0]);
}

const idempotencyKeyOf = ({ meta }: RestRoute): Json => ({
  ...idempotencyKey,
  description: `${
    meta.returnsSecret
      ? "Makes sure that it happens once: for 24 hours, a repeat with the same key is refused with `IDEMPOTENCY_KEY_REUSED`."
      : "Makes retries safe: for 24 hours, a repeat with the same key gets the first response."
  } 1 to 255 visible ASCII characters.`,
});
const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  schema: { type: "string", minLength: 1, maxLength: 255, examples: ["issue-travel-card-2026-03"] },
};
const lastEventId = {
  name: "Last-Event-ID",
  in: "header",
  required: false,
  description:
    "Where to continue: the `id` of the last message, as browsers send it when they reconnect. It wins over `lastEventId`.",
  schema: {
    type: "string",
    maxLength: 500,
    examples: ["eyJvIjoib3JnXzAxa2pweDhuaDBlYnRiYnducWR4dmgwdHI4IiwiZSI6MX0"],
  },
};
