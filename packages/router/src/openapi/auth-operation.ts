import { type ProblemCode, problemCatalog } from "@purser/core";
import type { AuthOperation } from "@purser/identity/contract";
import { audiences } from "../meta.ts";
import { firstSentence, headersOf, json, refusal } from "./components.ts";
import { type Json, jsonSchema } from "./json-schema.ts";

/** Describes an operation of better-auth. */
export function authOperation(operation: AuthOperation, schemas: Json): Json {
  const { method, path, summary, returns, input, output, opensSession } = operation;
  const schema = jsonSchema(input, "input", schemas) as {
    properties: Record<string, Json>;
    required?: string[];
  };
  const { properties, required = [] } = schema;
  const audience = operation.public ? audiences.public : audiences.user;
  return {
    // `/sign-in/email` is `auth.signInEmail`.
    operationId: `auth.${path.slice(1).replaceAll(/[/-](\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    tags: ["auth"],
    summary: firstSentence(summary),
    description: `${summary}\n\n${audience}`,
    ...(operation.public && { security: [] }),
    ...(method === "GET" && {
      parameters: Object.entries(properties).map(([name, { description, ...field }]) => {
        return { name, in: "query", required: required.includes(name), description, schema: field };
      }),
    }),
    ...(method === "POST" &&
      Object.keys(properties).length > 0 && {
        requestBody: { required: required.length > 0, content: json(schema) },
      }),
    responses: {
      200: {
        description: returns,
        headers: { ...headersOf("X-Request-Id"), ...(opensSession && headersOf("set-auth-token")) },
        content: json(jsonSchema(output, "output", schemas)),
      },
      ...refusals(operation),
    },
  };
}

function refusals({ method }: AuthOperation): Json {
  const codes: ProblemCode[] = [
    "VALIDATION_FAILED",
    "UNAUTHENTICATED",
    "RATE_LIMITED",
    "INTERNAL",
    "UNAVAILABLE",
  ];
  if (method === "POST")
    codes.push("MALFORMED_JSON", "UNTRUSTED_ORIGIN", "UNSUPPORTED_MEDIA_TYPE", "PAYLOAD_TOO_LARGE");
  const byStatus = Map.groupBy(codes, (code) => problemCatalog[code][0]);
  return Object.fromEntries([...byStatus].map(([status, each]) => [status, refusal(status, each)]));
}
