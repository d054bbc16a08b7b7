import { exampleIds, explained, problemAdvice, problemCatalog } from "@purser/core";
import type { Json } from "./json-schema.ts";

const requestIdExample = "req_01km7cb4h0e4fr6b2vqk1s8d3w";

export const headers = {
  "X-Request-Id": {
    description: "The request's id, also in the log. A request may bring its own.",
    schema: { type: "string", examples: [requestIdExample] },
  },
  "Retry-After": {
    description: "The number of seconds after which to try again. Absent if the time is unknown.",
    schema: { type: "integer", minimum: 0, examples: [5] },
  },
  "set-auth-token": {
    description: "The bearer token of the session. Absent if a code of the second factor is due.",
    schema: { type: "string", examples: ["DUIZeSF4Ma2hWz62XKemIS6sZXxg40C4.8Jx0mZqT1"] },
  },
  "Idempotency-Replayed": {
    description: "`true` if this is the stored response to an earlier request with the same key.",
    schema: { type: "string", const: "true" },
  },
  Location: {
    description: "The address at which to continue.",
    schema: { type: "string", examples: ["https://app.demo.example/welcome"] },
  },
  Link: {
    description: 'The address of the next page with `rel="next"`. Absent on the last page.',
    schema: { type: "string", examples: [`</api/cards?limit=50&after=${exampleIds.card}>; rel="next"`] },
  },
};

export const headersOf = (name: keyof typeof headers) => ({
  [name]: { $ref: `#/components/headers/${name}` },
});

export const securitySchemes = {
  bearer: {
    type: "http",
    scheme: "bearer",
    description:
      "A session: the value of the header `set-auth-token` of a sign-in. A browser on a trusted origin of the same site may send the session's cookie instead.",
  },
  apiKey: {
    type: "apiKey",
    in: "header",
    name: "x-api-key",
    description:
      "A key for a server: of an organization (`POST /api/keys` creates one) or of a person (`POST /api/auth/api-key/create`).",
  },
};

const text = (description: string, example: string) => ({
  type: "string",
  ...explained(description, example),
});

export const Issue = {
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
    message: text("The rule as a sentence for people.", "Must be at most 6"),
  },
  required: ["path", "code", "message"],
};

export const Problem = {
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
      "The input is not valid. daysOfWeek.0: Must be at most 6.",
    ),
    code: {
      ...explained("The stable name of the error. A program can rely on it.", "VALIDATION_FAILED"),
      // Later versions add codes, and those of accounts are more (/docs/problems).
      anyOf: [{ type: "string", enum: Object.keys(problemCatalog) }, { type: "string" }],
    },
    requestId: text("The request's id. Quote it when you report a problem.", requestIdExample),
    retryable: {
      type: "boolean",
      ...explained(
        "Whether the same request may succeed later, unchanged. If so, wait `Retry-After`.",
        false,
      ),
    },
    help: text(
      "What you can do about it. Absent if there is nothing to add.",
      problemAdvice("FORBIDDEN").help!,
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
  required: ["type", "title", "status", "detail", "code", "requestId", "retryable"],
};

/** The sentence that lists show of a text. */
export function firstSentence(sentences: string): string {
  return /^.*?[.](?= |$)/.exec(sentences)?.[0] ?? sentences;
}

export const json = (schema: Json) => ({ "application/json": { schema } });

/** The statuses whose responses may say when to try again: a provider's limit included. */
const statusesWithRetryAfter = new Set([429, 502, 503]);

/** Describes a refusal by its codes, each with what it means. */
export function refusal(status: number, codes: readonly (readonly [code: string, meaning: string])[]): Json {
  const description = codes.map(([code, meaning]) => `\`${code}\`: ${meaning}`).join("\n\n");
  return {
    description,
    headers: {
      ...headersOf("X-Request-Id"),
      ...(statusesWithRetryAfter.has(status) && headersOf("Retry-After")),
    },
    content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
  };
}
