import { type ProblemCode, problemCatalog } from "@purser/core";
import type { Settings } from "@purser/platform/settings";
import { z } from "zod";
import { routerOf } from "./app-router.ts";
import { type RestRoute, restRoutes } from "./rest.ts";

type Json = Record<string, unknown>;

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
    tags: [...new Set(routes.map(tagOf))].toSorted().map((name) => ({ name })),
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
  const parameters = [
    ...[...inPath].map(([field, name]) => ({ name, in: "path", required: true, schema: properties[field] })),
    ...(hasBody ? [] : others).map((name) => ({
      name,
      in: "query",
      required: required.includes(name),
      schema: properties[name],
    })),
    ...(route.type === "mutation" ? [idempotencyKey] : []),
  ];
  return {
    operationId: route.procedure,
    tags: [tagOf(route)],
    summary: route.meta.summary,
    ...(route.meta.public && { security: [] }),
    parameters,
    ...(hasBody && others.length > 0 && { requestBody: body(others, properties, required) }),
    responses: responses(route, schemas),
  };
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
    description: route.status === 204 ? "Success, without a body." : "Success.",
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

/** Converts a contract to JSON Schema. Contracts with an id move to the components. */
function jsonSchema(schema: z.ZodType, io: "input" | "output", schemas: Json): Json {
  const {
    $defs,
    $schema: _,
    ...converted
  } = z.toJSONSchema(schema, {
    io,
    reused: "inline",
    unrepresentable: ({ zodSchema }) => {
      const { type } = zodSchema._zod.def;
      if (type === "date") return { type: "string", format: "date-time" };
      throw new Error(`A ${type} cannot be described in JSON`);
    },
  });
  const moved = JSON.parse(
    JSON.stringify({ converted, $defs }).replaceAll('"#/$defs/', '"#/components/schemas/'),
  ) as {
    converted: Json;
    $defs?: Json;
  };
  Object.assign(schemas, moved.$defs);
  return moved.converted;
}

const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "Makes retries safe: for 24 hours, a repeat with the same key gets the first response.",
  schema: { type: "string", minLength: 1, maxLength: 255 },
};
const replayed = {
  description: "`true` if this is the stored response to an earlier request.",
  schema: { type: "string" },
};
const link = { description: 'The next page as `rel="next"`, if there is one.', schema: { type: "string" } };

const securitySchemes = {
  bearer: {
    type: "http",
    scheme: "bearer",
    description: "The value of the header `set-auth-token` of a sign-in.",
  },
  apiKey: { type: "apiKey", in: "header", name: "x-api-key" },
  cookie: { type: "apiKey", in: "cookie", name: "better-auth.session_token" },
};

const Issue = {
  type: "object",
  properties: {
    path: { type: "array", items: { type: ["string", "integer"] } },
    code: { type: "string" },
    message: { type: "string" },
  },
  required: ["path", "code", "message"],
};

const Problem = {
  type: "object",
  description: "An error (RFC 9457).",
  properties: {
    type: { type: "string", format: "uri-reference" },
    title: { type: "string" },
    status: { type: "integer" },
    detail: { type: "string" },
    code: { type: "string", enum: Object.keys(problemCatalog) },
    requestId: { type: "string" },
    issues: { type: "array", items: { $ref: "#/components/schemas/Issue" } },
    link: { type: "string", description: "A page on which a person can fix the problem, such as a bank's." },
  },
  required: ["type", "title", "status", "detail", "code", "requestId"],
};
