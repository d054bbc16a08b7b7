import { type ProblemCode, problemCatalog } from "@purser/core";
import type { AuthOperation } from "@purser/identity/contract";
import { audiences } from "../meta.ts";
import { firstSentence, headersOf, json, refusal } from "./components.ts";
import { type Json, jsonSchema } from "./json-schema.ts";

/** Describes an operation of better-auth. */
export function authOperation(operation: AuthOperation, schemas: Json): Json {
  const { method, path, summary, returns, input, output, opensSession, usesUpToken } = operation;
  const schema = jsonSchema(input, "input", schemas) as {
    properties: Record<string, Json>;
    required?: string[];
  };
  const { properties, required = [] } = schema;
  const signedIn = operation.administrator ? audiences.administrator : audiences.user;
  const audience = operation.public ? audiences.public : signedIn;
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
      ...(usesUpToken && { 302: redirect }),
      ...refusals(operation),
    },
  };
}

const redirect: Json = {
  description:
    "With `callbackURL`: the browser continues there. If the token is not valid, the address has the parameter `error` with the code.",
  headers: { ...headersOf("X-Request-Id"), ...headersOf("Location") },
};

/** What every operation refuses, and what only this one does. */
function refusals({ method, refusals: own = {} }: AuthOperation): Json {
  const codes: ProblemCode[] = [
    "VALIDATION_FAILED",
    "UNAUTHENTICATED",
    "RATE_LIMITED",
    "INTERNAL",
    "UNAVAILABLE",
  ];
  if (method === "POST")
    codes.push("MALFORMED_JSON", "UNTRUSTED_ORIGIN", "UNSUPPORTED_MEDIA_TYPE", "PAYLOAD_TOO_LARGE");
  const all: Refused[] = [
    ...codes.map((code): Refused => [problemCatalog[code][0], code, problemCatalog[code][1]]),
    [403, "FORBIDDEN", keysOnlyRead],
    ...Object.entries(own).flatMap(([status, each]) =>
      Object.entries(each).map(([code, meaning]): Refused => [Number(status), code, meaning]),
    ),
  ];
  const byStatus = Map.groupBy(all, ([status]) => status);
  return Object.fromEntries(
    [...byStatus].map(([status, each]) => [
      status,
      refusal(
        status,
        each.map(([, code, meaning]) => [code, meaning]),
      ),
    ]),
  );
}

type Refused = [status: number, code: string, meaning: string];
const keysOnlyRead = "An API key can only read the account of the person it belongs to.";
