import { describe, expect, it } from "vitest";
import { z } from "zod";
import { appRouter } from "../app-router.ts";
import { openApiDocument } from "./index.ts";
import { proceduresOf } from "../procedures.ts";

interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  examples?: unknown[];
  const?: unknown;
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  additionalProperties?: JsonSchema | boolean;
}

interface Described {
  name?: string;
  description?: string;
  schema: JsonSchema;
}

interface Content {
  content?: Record<string, { schema: JsonSchema }>;
}

interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  parameters?: Required<Described>[];
  security?: object[];
  requestBody?: Content;
  responses: Record<string, Content & { description: string; headers: Record<string, { $ref: string }> }>;
}

const document = openApiDocument({ sandbox: true }) as unknown as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema>; headers: Record<string, Described> };
};
const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
const components = document.components.schemas;

/** One or more sentences: a description starts with a capital letter, a number or a code, and ends with a mark. */
const sentences = /^[A-Z0-9`].*[.)`]$/s;

describe("the OpenAPI document", () => {
  it("describes every property", () => {
    expect(gapsIn((schema) => !sentences.test(resolve(schema).description ?? ""))).toEqual([]);
  });

  it("has an example for every property that is not an object", () => {
    expect(gapsIn((schema) => !hasExample(schema))).toEqual([]);
  });

  it("describes every parameter and header where it is used, with an example", () => {
    const all = [
      ...operations.flatMap(({ operationId, parameters = [] }) =>
        parameters.map((parameter) => ({ where: `${operationId} ${parameter.name}`, ...parameter })),
      ),
      ...Object.entries(document.components.headers).map(([name, header]) => ({ where: name, ...header })),
    ];
    const lacking = all.filter(
      ({ description = "", schema }) => !sentences.test(description) || !hasExample(schema),
    );
    expect(lacking.map(({ where }) => where)).toEqual([]);
  });
});

describe("a field", () => {
  const parameter = (operationId: string, name: string) =>
    operations
      .find((operation) => operation.operationId === operationId)!
      .parameters!.find((each) => each.name === name)!;

  it("that takes a date as input takes a plain day too, and says what it means", () => {
    const dayOrTime = ["date-time", "date"].map((format) => ({ type: "string", format }));
    const { schema, description } = parameter("banking.transactions.list", "to");
    expect(schema.anyOf).toEqual(dayOrTime);
    expect(description).toMatch(/A plain day, such as `2026-03-01`, means its end in UTC\.$/);
    const { activeFrom } = components["CardPolicyDraft"]!.properties!;
    expect(activeFrom!.anyOf).toEqual([...dayOrTime, { type: "null" }]);
    expect(activeFrom!.description).toMatch(/means its start in UTC\.$/);
    // The answer is always an instant.
    expect(components["CardPolicy"]!.properties!["activeFrom"]!.anyOf).toEqual([
      dayOrTime[0],
      { type: "null" },
    ]);
  });

  it("whose values may grow names those of today, and stays open", () => {
    for (const [name, value] of [
      ["DeclineReason", "card_frozen"],
      ["BankSyncErrorCode", "INTERRUPTED"],
      ["WebhookDeliveryEventType", "webhook_endpoint.test"],
      ["AuditAction", "cards.updateStatus"],
    ] as const) {
      const open = [{ type: "string", enum: expect.arrayContaining([value]) }, { type: "string" }];
      expect(components[name]!.anyOf, name).toEqual(open);
    }
    expect(JSON.stringify(document)).not.toContain("knownValues");
  });
});

describe("each operation", () => {
  it("declares the headers of its responses", () => {
    const headersOf = (operationId: string, status: string) =>
      Object.keys(
        operations.find((operation) => operation.operationId === operationId)!.responses[status]!.headers,
      );
    expect(headersOf("cards.list", "200")).toEqual(["X-Request-Id", "Link"]);
    expect(headersOf("cards.create", "201")).toEqual(["X-Request-Id", "Idempotency-Replayed"]);
    expect(headersOf("cards.list", "503")).toEqual(["X-Request-Id", "Retry-After"]);
    expect(headersOf("cards.list", "429")).toEqual(["X-Request-Id", "Retry-After"]);
  });

  it("says that a body may be too large if it can have one, which DELETE can too", () => {
    const lacking = Object.values(document.paths).flatMap((path) =>
      Object.entries(path).filter(([method, { responses }]) => (method !== "get") !== "413" in responses),
    );
    expect(lacking.map(([method, { operationId }]) => `${method} ${operationId}`)).toEqual([]);
  });

  it("leaves its responses open to fields of later versions, and its inputs closed", () => {
    const isClosed = (value: unknown) => JSON.stringify(value).includes('"additionalProperties":false');
    const closed = Object.keys(components).filter((name) => isClosed(components[name]));
    // Inputs of a policy, a check and a backtest.
    expect(closed).toEqual(["NewCardLimit", "CardPolicyDraft"]);
    expect(operations.filter(({ responses }) => isClosed(responses))).toEqual([]);
    const lax = operations.filter(({ requestBody }) => requestBody && !isClosed(requestBody));
    expect(lax).toEqual([]);
  });

  it("has a summary of one sentence, and a description of its own that says who may call it", () => {
    const lacking = operations.filter(
      ({ summary, description }) =>
        !/^[A-Z][^.]*\.$/.test(summary) ||
        !description.startsWith(summary) ||
        !description.includes("\n\nFor "),
    );
    expect(lacking.map(({ operationId }) => operationId)).toEqual(
      operations.filter(({ security }) => security?.length === 0).map(({ operationId }) => operationId),
    );
    expect(new Set(operations.map(({ description }) => description)).size).toBe(operations.length);
  });

  it("says what its response holds, if it has one", () => {
    const successes = operations.flatMap(({ operationId, responses }) =>
      Object.entries(responses)
        .filter(([status]) => status.startsWith("2"))
        .map(([, { description, content }]) => ({
          operationId,
          description,
          hasContent: content !== undefined,
        })),
    );
    const lacking = successes.filter(
      ({ description, hasContent }) =>
        !sentences.test(description) || hasContent === description.startsWith("Success"),
    );
    expect(lacking.map(({ operationId }) => operationId)).toEqual([]);
  });
});

describe("an operation whose response has a secret", () => {
  const withSecret = new Set([
    "cards.reveal",
    "keys.create",
    "webhookEndpoints.create",
    "webhookEndpoints.rotateSecret",
  ]);
  const mutations = operations.filter(({ parameters = [] }) => parameters.some(isIdempotencyKey));

  it.each(mutations.map((operation) => [operation.operationId, operation] as const))(
    "%s says of a repeat either that it is safe or that it is refused",
    (name, { description, parameters = [] }) => {
      const refuses = withSecret.has(name);
      expect(description.includes("Repeat it safely")).toBe(!refuses);
      expect(description.includes("A repeat with the same Idempotency-Key is refused")).toBe(refuses);
      const key = parameters.find(isIdempotencyKey)!;
      expect(key.description.includes("is refused with `IDEMPOTENCY_KEY_REUSED`")).toBe(refuses);
    },
  );

  function isIdempotencyKey({ name }: Described): boolean {
    return name === "Idempotency-Key";
  }
});

describe("the examples of the contracts", () => {
  it("are valid for the field that they explain", () => {
    const contracts = [...proceduresOf(appRouter).values()].flatMap(({ name, inputs, output }) => [
      ...inputs.map((input) => ({ where: `${name} input`, contract: input })),
      ...(output ? [{ where: `${name} output`, contract: output }] : []),
    ]);
    const all = contracts.flatMap(({ where, contract }) => [...examplesIn(contract, where)]);
    expect(all.length).toBeGreaterThan(700);
    const invalid = all.filter(({ contract, example }) => !z.safeParse(contract, example).success);
    expect(invalid.map(({ where, example }) => `${where}: ${JSON.stringify(example)}`)).toEqual([]);
  });
});

/** Returns the names of all properties for which a condition holds, of components and of every operation. */
function gapsIn(isGap: (schema: JsonSchema) => boolean): string[] {
  const roots: [where: string, schema: JsonSchema][] = [
    ...Object.entries(components),
    ...operations.flatMap(({ operationId, requestBody, responses }) =>
      [requestBody ?? {}, ...Object.values(responses)]
        .flatMap(({ content = {} }) => Object.values(content))
        .map(({ schema }) => [operationId, schema] as [string, JsonSchema]),
    ),
  ];
  const properties = roots.flatMap(([where, schema]) => [...propertiesIn(schema, where)]);
  expect(properties.length).toBeGreaterThan(400);
  return properties.filter(([, schema]) => isGap(schema)).map(([where]) => where);
}

function* propertiesIn(schema: JsonSchema, where: string): Generator<[where: string, schema: JsonSchema]> {
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    yield [`${where}.${name}`, property];
    yield* propertiesIn(property, `${where}.${name}`);
  }
  for (const part of partsOf(schema)) yield* propertiesIn(part, where);
}

function partsOf({ items, anyOf = [], additionalProperties }: JsonSchema): JsonSchema[] {
  const values = typeof additionalProperties === "object" ? [additionalProperties] : [];
  return [...anyOf, ...values, ...(items ? [items] : [])];
}

/** Resolves the reference of a schema. Keywords next to the reference override it (OpenAPI 3.1). */
function resolve({ $ref, ...own }: JsonSchema): JsonSchema {
  if ($ref === undefined) return own;
  return { ...resolve(components[$ref.replace("#/components/schemas/", "")]!), ...own };
}

/** An object is explained by its properties, a list also by its items, and a constant by itself. */
function hasExample(schema: JsonSchema): boolean {
  const { examples = [], properties, items, anyOf = [], type, ...rest } = resolve(schema);
  if (examples.length > 0 || properties !== undefined || "const" in rest || type === "null") return true;
  return items === undefined ? anyOf.length > 0 && anyOf.every(hasExample) : hasExample(items);
}

interface Example {
  where: string;
  contract: z.core.$ZodType;
  example: unknown;
}

function* examplesIn(
  contract: z.core.$ZodType,
  where: string,
  seen = new Set<z.core.$ZodType>(),
): Generator<Example> {
  if (seen.has(contract)) return;
  seen.add(contract);
  for (const example of (z.globalRegistry.get(contract)?.["examples"] ?? []) as unknown[]) {
    yield { where, contract, example };
  }
  const { def } = (contract as z.core.$ZodTypes)._zod;
  if ("shape" in def) {
    for (const [name, field] of Object.entries(def.shape)) yield* examplesIn(field, `${where}.${name}`, seen);
  }
  for (const part of ["innerType", "element", "in", "out", "keyType", "valueType"]) {
    const inner: unknown = Reflect.get(def, part);
    if (inner instanceof z.core.$ZodType) yield* examplesIn(inner, where, seen);
  }
}
