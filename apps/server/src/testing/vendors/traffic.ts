import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
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

const files: Readonly<Record<string, string>> = {
  lithic: "lithic/lithic-openapi/lithic-openapi.yml",
  polar: "polar/polar/docs/openapi/2026-10.openapi.json",
};

/** What the recorded traffic of one vendor showed. */
export interface Replay {
  vendor: string;
  version: string;
  /** How often each operation or webhook was compared. */
  compared: Map<string, number>;
  /** Differences from the description, with their number. */
  differences: Map<string, number>;
}

/** Compares recorded traffic with the descriptions of the vendors. */
export function replayTraffic(folder: string, file: string, names: readonly string[]): Replay[] {
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  const recorded = lines.map((line) => JSON.parse(line) as Recorded);
  return Object.entries(files).flatMap(([vendor, path]) => {
    const description = readDescription(folder, path);
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
  };
  const note = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const { kind, call = "", request, status = 0, response, type = "", message } of recorded) {
    const name =
      kind === "webhook" ? `webhook ${type}` : (operationOf(description, call) ?? `unknown ${call}`);
    note(replay.compared, name);
    const parts: [part: string, pointer: string[], value: unknown][] =
      kind === "webhook"
        ? [["", ["webhooks", type, "post", "requestBody"], message]]
        : partsOf(name, { request, status, response });
    for (const [part, pointer, value] of parts) {
      for (const difference of compare(pointer, value))
        note(replay.differences, `${name} ${part}${difference}`);
    }
  }
  return replay;
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

/** Some descriptions allow null beside a list of values that lacks it. */
function nullableLists<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(nullableLists) as T;
  const copy = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, nullableLists(inner)]));
  const { type, enum: values } = copy as Described;
  const lacksNull =
    Array.isArray(type) && type.includes("null") && Array.isArray(values) && !values.includes(null);
  return (lacksNull ? { ...copy, enum: [...values, null] } : copy) as T;
}

function comparer(description: Description) {
  const ajv = addFormats(
    new Ajv2020({ allErrors: true, strict: false, logger: false, validateSchema: false }),
  );
  ajv.addSchema(nullableLists(description), "vendor");
  return (pointer: string[], value: unknown): string[] => {
    const path = [...pointer, "content", "application/json", "schema"];
    const parts = path.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1")));
    const validate = ajv.getSchema(`vendor#/${parts.join("/")}`) as ValidateFunction | undefined;
    if (validate === undefined) return [": not described"];
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message }) => `${instancePath.replaceAll(/\/\d+/g, "/0")} ${message}`,
    );
  };
}
