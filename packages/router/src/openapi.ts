import { type ProblemCode, exampleIds, explained, problemCatalog } from "@purser/core";
import type { Settings } from "@purser/platform/settings";
import { routerOf } from "./app-router.ts";
import { type Json, descriptionOf, jsonSchema } from "./json-schema.ts";
import { audiences } from "./meta.ts";
import { type RestRoute, restRoutes } from "./rest.ts";
import { tags } from "./tags.ts";

/** Returns the OpenAPI 3.1 document of all REST routes, derived from the procedures' contracts. */
export function openApiDocument({ baseUrl, sandbox }: Pick<Settings, "baseUrl" | "sandbox">): Json {
  const schemas: Json = { Problem, Issue };
  const routes = restRoutes(routerOf({ sandbox }));
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, "{$1}");
    (paths[path] ??= {})[route.method.toLowerCase()] = operation(route, schemas);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Purser",
      version: "1",
      description:
        "One service for a company's money. Amounts are integers in the smallest unit of their currency.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: baseUrl }],
    tags: tags(routes.map(tagOf)),
    security: [{ bearer: [] }, { apiKey: [] }, { cookie: [] }],
    paths,
    components: { schemas, securitySchemes },
  };
}

const tagOf = ({ procedure }: RestRoute) => procedure.slice(0, procedure.lastIndexOf("."));

function operation(route: RestRoute, schemas: Json): Json {
  const { properties, required = [] } = jsonSchema(route.input, "input", schemas) as {
    properties: Record<string, Json>;
    required?: string[];
  };
  const inPath = new Map(route.parameters.map(({ parameter, field }) => [field, parameter]));
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
    ...(route.type === "mutation" ? [idempotencyKey] : []),
  ];
  return {
    operationId: route.procedure,
    tags: [tagOf(route)],
    ...texts(route),
    ...(route.meta.public && { security: [] }),
    parameters,
    ...(hasBody && others.length > 0 && { requestBody: body(others, properties, required) }),
    responses: responses(route, schemas),
  };
}

/** The first sentence as the summary, and the whole text as the description. */
function texts({ meta, type, method }: RestRoute): Json {
  const { summary, access, errors = [] } = meta;
  const own = errors.map((code) => `\`${code}\``).join(", ");
  const paragraphs = [
    summary,
    audiences[access],
    ...(type === "mutation" ? ["Repeat it safely with an `Idempotency-Key`."] : []),
    ...(type === "query" && method === "POST"
      ? ["Stores nothing. It is a POST because its input is long."]
      : []),
    ...(own === "" ? [] : [`Errors of its own: ${own}.`]),
  ];
  const [first = summary] = /^.*?[.](?= |$)/.exec(summary) ?? [];
  return { summary: first, description: paragraphs.join("\n\n") };
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
      ...(isMutation && { "Idempotency-Replayed": replayed }),
      ...("after" in route.input.shape && { Link: link }),
    },
    ...(route.status !== 204 && { content: json(jsonSchema(route.output, "output", schemas)) }),
  };
  const byStatus = Map.groupBy(refusalsOf(route), (code) => problemCatalog[code][0]);
  return {
    [route.status]: success,
    ...Object.fromEntries([...byStatus].map(([status, codes]) => [status, refusal(codes)])),
  };
}

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
  codes.push("PAYLOAD_TOO_LARGE", "INTERNAL", "UNAVAILABLE");
  return codes.toSorted((one, other) => problemCatalog[one][0] - problemCatalog[other][0]);
}

function refusal(codes: ProblemCode[]): Json {
  const description = codes.map((code) => `\`${code}\`: ${problemCatalog[code][1]}`).join("\n\n");
  return {
    description,
    content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
  };
}

const json = (schema: Json) => ({ "application/json": { schema } });

const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "Makes retries safe: for 24 hours, a repeat with the same key gets the first response. 1 to 255 visible ASCII characters.",
  schema: { type: "string", minLength: 1, maxLength: 255, examples: ["issue-travel-card-2026-03"] },
};
const replayed = {
  description: "`true` if this is the stored response to an earlier request with the same key.",
  schema: { type: "string", const: "true" },
};
const link = {
  description: 'The address of the next page with `rel="next"`. Absent on the last page.',
  schema: { type: "string", examples: [`</api/cards?limit=50&after=${exampleIds.card}>; rel="next"`] },
};

const securitySchemes = {
  bearer: {
    type: "http",
    scheme: "bearer",
    description: "The value of the header `set-auth-token` of a sign-in.",
  },
  apiKey: { type: "apiKey", in: "header", name: "x-api-key" },
  cookie: { type: "apiKey", in: "cookie", name: "better-auth.session_token" },
};

const text = (description: string, example: string) => ({
  type: "string",
  ...explained(description, example),
});

const Issue = {
  type: "object",
  description: "One fault of an input.",
  properties: {
    path: {
      type: "array",
      items: { type: ["string", "integer"] },
      ...explained("The field: its name, after the names and positions of what contains it.", [
        "daysOfWeek",
        0,
      ]),
    },
    code: text("The rule that the field breaks. A program can rely on it.", "too_big"),
    message: text("The rule as a sentence for people.", "Too big: expected number to be <=6"),
  },
  required: ["path", "code", "message"],
};

const Problem = {
  type: "object",
  description: "An error (RFC 9457).",
  properties: {
    type: {
      ...text("The address of the code's explanation.", "/docs/problems#VALIDATION_FAILED"),
      format: "uri-reference",
    },
    title: text("The code in words.", "Validation failed"),
    status: { type: "integer", ...explained("The HTTP status of the response.", 400) },
    detail: text(
      "What happened, and what to do about it, as a sentence for people. It may be reworded.",
      problemCatalog.VALIDATION_FAILED[1],
    ),
    code: {
      ...text("The stable name of the error. A program can rely on it.", "VALIDATION_FAILED"),
      enum: Object.keys(problemCatalog),
    },
    requestId: text(
      "The request's id. Quote it when you report a problem.",
      "req_01km7cb4h0e4fr6b2vqk1s8d3w",
    ),
    issues: {
      type: "array",
      items: { $ref: "#/components/schemas/Issue" },
      description: "The faults of the input, at most 100. Only with VALIDATION_FAILED.",
    },
    link: text(
      "A page on which a person can fix the problem, such as a bank's. Absent if there is none.",
      "https://bank.example/consent/renew",
    ),
  },
  required: ["type", "title", "status", "detail", "code", "requestId"],
};
