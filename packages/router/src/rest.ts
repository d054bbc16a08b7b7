import { type Issue, csvColumns, validationFailed } from "@purser/core";
import type { AnyTRPCRouter } from "@trpc/server";
import { z } from "zod";
import type { Context } from "./context.ts";
import type { Meta, RestMeta } from "./meta.ts";
import { type ProcedureInfo, inputContractOf, proceduresOf } from "./procedures.ts";
import { fromJson, fromText } from "./rest-input.ts";

/** One REST endpoint. Register the routes with an HTTP framework in the order of `restRoutes`. */
export interface RestRoute extends Pick<RestMeta, "method" | "path"> {
  /** The procedure's path, such as `organizations.members.list`. */
  procedure: string;
  type: ProcedureInfo["type"];
  meta: Meta;
  input: z.ZodObject;
  output: z.ZodType;
  /** Each path parameter with the input field that it fills. */
  parameters: readonly Parameter[];
  /** 204 if the output is void. */
  status: 200 | 201 | 204;
  /** The names of the columns as CSV; null if it is served as JSON only. */
  csv: readonly string[] | null;
  /**
   * Calls the procedure and returns its output. That of a subscription is a `TrackedStream`. Throws what the procedure
   * throws.
   */
  call(ctx: Context, request: RestRequest, signal?: AbortSignal): Promise<unknown>;
}

export interface RestRequest {
  params: Record<string, string>;
  /** Null if the address has no query string. */
  query: URLSearchParams | null;
  /** Returns the parsed JSON of a POST or PATCH, or undefined without a body. Called when the input is read. */
  readBody: () => unknown;
}

export interface Parameter {
  parameter: string;
  field: string;
}

/**
 * Derives the REST routes of a router, static path segments before parameters. Throws if two procedures have the same
 * address, or if a path parameter is not a field of the input.
 */
export function restRoutes(router: AnyTRPCRouter): RestRoute[] {
  const routes = [...proceduresOf(router).values()].flatMap((procedure) => toRoute(procedure) ?? []);
  const addresses = new Set<string>();
  for (const { method, path, procedure } of routes) {
    const address = `${method} ${path.replaceAll(/:\w+/g, ":")}`;
    if (addresses.has(address))
      throw new Error(`${procedure}: ${method} ${path} is taken by another procedure`);
    addresses.add(address);
  }
  return routes.toSorted((one, other) => (rank(one) < rank(other) ? -1 : 1));
}

/** "~" sorts after every static segment, so the more specific path comes first. */
const rank = ({ path, method }: RestRoute) => `${path.replaceAll(/:\w+/g, "~")} ${method}`;

function toRoute({ name, type, meta, inputs, output, call }: ProcedureInfo): RestRoute | null {
  if (meta === undefined) return null;
  const input = inputObject(name, inputs);
  if (output === undefined) throw new Error(`${name}: a procedure on REST needs an output contract`);
  const { method, path, status = 200 } = meta.rest;
  const parameters = parametersOf(name, meta.rest, input);
  const readInput = inputReader(method, parameters, input);
  return {
    method,
    path,
    procedure: name,
    type,
    meta,
    input,
    output,
    parameters,
    csv: meta.rest.csv === true ? csvColumnsOf(name, output) : null,
    status: output._zod.def.type === "void" ? 204 : status,
    // Not async, which would wait for the procedure's promise twice more.
    call: (ctx, request, signal) =>
      call({
        path: name,
        type,
        ctx,
        // tRPC reads the input after the check of the caller, so an unauthenticated caller gets 401, not 400.
        getRawInput: () => readInput(request),
        signal,
        batchIndex: 0,
      }),
  };
}

function csvColumnsOf(name: string, output: z.ZodType): string[] {
  const item = output instanceof z.ZodArray ? output.element : undefined;
  if (!(item instanceof z.ZodObject)) throw new Error(`${name}: CSV needs a list of objects`);
  return csvColumns(item).map((column) => column.name);
}

/** An input that may be absent on tRPC is the empty object on REST. */
function inputObject(name: string, inputs: readonly z.ZodType[]): z.ZodObject {
  const input = inputContractOf(inputs);
  if (!(input instanceof z.ZodObject))
    throw new Error(`${name}: a procedure on REST needs an object as input`);
  return input;
}

function parametersOf(name: string, rest: RestMeta, input: z.ZodObject): Parameter[] {
  return [...rest.path.matchAll(/:(\w+)/g)].map(([, parameter = ""]) => {
    const field = rest.params?.[parameter] ?? parameter;
    if (!(field in input.shape))
      throw new Error(`${name}: path parameter ${parameter} is not a field of the input`);
    return { parameter, field };
  });
}

/** Compiles, once per procedure, the conversion of path, query and body into its input. */
function inputReader(
  method: RestMeta["method"],
  parameters: Parameter[],
  input: z.ZodObject,
): (request: RestRequest) => unknown {
  const convertQuery = fromText(input);
  const convertBody = fromJson(input);
  if (method === "GET" || method === "DELETE") {
    return ({ params, query }) =>
      withParameters(query === null ? {} : convertQuery(query), parameters, params);
  }
  return ({ params, query, readBody }) => {
    const body = readBody();
    if (query !== null && query.size > 0) throw validationFailed([...query.keys()].map(misplaced));
    return withParameters(body === undefined ? {} : convertBody(body), parameters, params);
  };
}

function withParameters(raw: unknown, parameters: Parameter[], params: Record<string, string>): unknown {
  // Not an object: the procedure's contract reports it.
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) return raw;
  const input: Record<string, unknown> = { ...raw };
  for (const { parameter, field } of parameters) {
    const value = params[parameter];
    if (Object.hasOwn(input, field) && input[field] !== value) {
      throw validationFailed([
        { path: [field], code: "path_mismatch", message: "Must equal the path parameter" },
      ]);
    }
    input[field] = value;
  }
  return input;
}

const misplaced = (name: string): Issue => ({
  path: [name],
  code: "unrecognized_keys",
  message: "Must be in the body",
});
