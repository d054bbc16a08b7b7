import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { type Described, type Description, readDescription } from "./descriptions.ts";

interface Recorded {
  vendor: string;
  kind: "exchange" | "webhook";
  call?: string;
  request?: unknown;
  status?: number;
  response?: unknown;
  type?: string;
  message?: unknown;
}

/** Where each vendor's description lies, and the first that is there. Stripe's repository has had both formats. */
const files: Readonly<Record<string, readonly string[]>> = {
  lithic: ["lithic/lithic-openapi/lithic-openapi.yml"],
  paddle: ["paddle/paddle-openapi/v1/openapi.yaml"],
  plaid: ["plaid/plaid-openapi/2020-09-14.yml"],
  polar: ["polar/polar/docs/openapi/2026-10.openapi.json"],
  stripe: [
    "stripe/openapi/latest/openapi.spec3.json",
    "stripe/openapi/openapi/spec3.json",
    "stripe/openapi/openapi/spec3.yaml",
  ],
  yapily: ["yapily/yapily-openapi/openapi.json"],
};

/** What the recorded traffic of one vendor showed. */
export interface Replay {
  vendor: string;
  version: string;
  /** How often each operation or webhook was compared. */
  compared: Map<string, number>;
  /** Differences from the description, with their number. */
  differences: Map<string, number>;
  /** Differences with a known reason, by reason. */
  tolerated: Map<string, number>;
}

/** Compares recorded traffic with the descriptions of the vendors. */
export function replayTraffic(folder: string, file: string, names: readonly string[]): Replay[] {
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  const recorded = lines.map((line) => JSON.parse(line) as Recorded);
  return Object.entries(files).flatMap(([vendor, paths]) => {
    const path = paths.find((one) => existsSync(resolve(folder, one)));
    const description = path === undefined ? null : readDescription(folder, path);
    if (description === null || (names.length > 0 && !names.includes(vendor))) return [];
    return replayVendor(
      vendor,
      description,
      recorded.filter((one) => one.vendor === vendor),
    );
  });
}

function replayVendor(vendor: string, description: Description, recorded: Recorded[]): Replay {
  const compare = comparer(description);
  const replay: Replay = {
    vendor,
    version: (description as { info?: { version?: string } }).info?.version ?? "",
    compared: new Map(),
    differences: new Map(),
    tolerated: new Map(),
  };
  const note = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const { kind, call = "", request, status = 0, response, type = "", message } of recorded) {
    const name =
      kind === "webhook" ? `webhook ${type}` : (operationOf(description, call) ?? `unknown ${call}`);
    note(replay.compared, name);
    const parts: [part: string, pointer: string[], value: unknown][] =
      kind === "webhook"
        ? [["", webhookPointer(description, type), message]]
        : partsOf(name, { request, status, response });
    for (const [part, pointer, value] of parts) {
      for (const difference of compare(pointer, value)) {
        const text = `${name} ${part}${difference}`;
        const reason = toleranceOf(vendor, replay.version, text);
        if (reason === null) note(replay.differences, text);
        else note(replay.tolerated, reason);
      }
    }
  }
  return replay;
}

/** Where the schema of a webhook is: among the webhooks, or the one whose example has this type, as at Plaid. */
function webhookPointer({ webhooks, components }: Description, type: string): string[] {
  const named = Object.entries(components.schemas).find(([, { "x-examples": examples = {} }]) =>
    Object.values(examples).some((example) => {
      const { webhook_type: kind, webhook_code: code } = example as Record<string, unknown>;
      return [kind, code].join(".") === type;
    }),
  );
  const isListed = webhooks?.[type] !== undefined || named === undefined;
  return isListed ? ["webhooks", type, "post", "requestBody"] : ["components", "schemas", named[0]];
}

function partsOf(
  name: string,
  { request, status, response }: Required<Pick<Recorded, "request" | "status" | "response">>,
) {
  const [method = "", path = ""] = name.split(" ");
  const at = ["paths", path, method.toLowerCase()];
  const parts: [string, string[], unknown][] = [];
  // The fake refuses what a test sends wrong on purpose.
  if (request !== undefined && status < 400) parts.push(["request", [...at, "requestBody"], request]);
  if (status >= 200 && status < 300) parts.push(["response", [...at, "responses", String(status)], response]);
  return parts;
}

/** The method and path template of a call. */
function operationOf({ paths }: Description, call: string): string | undefined {
  const [method = "", path = ""] = call.split(" ");
  const template = Object.keys(paths).find(
    (candidate) =>
      method.toLowerCase() in paths[candidate]! &&
      new RegExp(`^${candidate.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path),
  );
  return template && `${method} ${template}`;
}

// Under Node's resolution, the types of this module have no named export.
const addFormats = createRequire(import.meta.url)("ajv-formats") as (ajv: Ajv2020) => Ajv2020;

// Only the adapter depends on the SDK.
const stripe = createRequire(
  resolve(import.meta.dirname, "../../../../../packages/providers/stripe/package.json"),
)("stripe") as { API_VERSION: string };

interface Tolerance {
  vendor: string;
  reason: string;
  matches(version: string, difference: string): boolean;
}

const tolerances: readonly Tolerance[] = [
  {
    vendor: "lithic",
    reason: "All fields of both alternatives are optional, so a response of one matches the other, too.",
    matches: (_version, difference) =>
      /^PATCH \/v1\/account_holders\/\S+ response must match exactly one schema/.test(difference),
  },
  {
    vendor: "lithic",
    reason:
      "A dispute names its claim, null without the Dispute Intake API. The SDK's types do not have that field.",
    matches: (_version, difference) =>
      /^webhook dispute_transaction\.\w+ {2}must have required property 'claim_token'$/.test(difference),
  },
  {
    vendor: "polar",
    reason: "The SDK lists a customer's members, and the description does not.",
    matches: (_version, difference) => /^unknown GET \/v1\/customers\/[^/]+\/members /.test(difference),
  },
  {
    vendor: "stripe",
    reason: "The description is older than the version that the adapter uses.",
    matches: (version) => version.slice(0, 10) < stripe.API_VERSION.slice(0, 10),
  },
];

function toleranceOf(vendor: string, version: string, difference: string): string | null {
  const known = tolerances.find((one) => one.vendor === vendor && one.matches(version, difference));
  return known?.reason ?? null;
}

/** Some descriptions allow null in addition to a list of values without it. */
function nullableLists<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(nullableLists) as T;
  const entries = Object.entries(value)
    // A boolean in OpenAPI 3.0, a number in JSON Schema.
    .filter(([key, inner]) => !(key.startsWith("exclusive") && typeof inner === "boolean"))
    .map(([key, inner]) => [key, nullableLists(inner)]);
  const copy = Object.fromEntries(entries);
  const { type, enum: values } = copy as Described;
  const lacksNull =
    Array.isArray(type) && type.includes("null") && Array.isArray(values) && !values.includes(null);
  const whole = lacksNull ? { ...copy, enum: [...values, null] } : copy;
  // OpenAPI 3.0.
  if (typeof (copy as Described).nullable !== "boolean") return whole as T;
  const { nullable, ...rest } = whole as Described;
  return (nullable === true ? { anyOf: [rest, { type: "null" }] } : rest) as T;
}

function comparer(description: Description) {
  const ajv = addFormats(
    new Ajv2020({ allErrors: true, strict: false, logger: false, validateSchema: false }),
  );
  ajv.addSchema(nullableLists(description), "vendor");
  const atPath = (at: unknown, path: string[]) =>
    path.reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], at) as
      | object
      | undefined;
  return (pointer: string[], value: unknown): string[] => {
    const content = atPath(description, [...pointer, "content"]) ?? {};
    const mediaType = Object.keys(content).find((type) => type.startsWith("application/json"));
    const isSchema = pointer[0] === "components";
    if (mediaType === undefined && !isSchema) return [": not described"];
    const path = isSchema ? pointer : [...pointer, "content", mediaType ?? "", "schema"];
    const parts = path.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1")));
    const validate = ajv.getSchema(`vendor#/${parts.join("/")}`) as ValidateFunction | undefined;
    if (validate === undefined) return [": not described"];
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message }) => `${instancePath.replaceAll(/\/\d+/g, "/0")} ${message}`,
    );
  };
}
