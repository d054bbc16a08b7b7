import { type Issue, validationFailed } from "@purser/core";
import type { AnyTRPCRouter } from "@trpc/server";
import type { z } from "zod";
import type { Context } from "./context.ts";
import type { Meta, RestMeta } from "./meta.ts";
import { fromJson, fromText } from "./rest-input.ts";

/** One documented address, ready to be registered with any HTTP framework in the order given. */
export interface RestRoute extends Pick<RestMeta, "method" | "path"> {
  /** The procedure's path, such as `organizations.members.list`. */
  procedure: string;
  type: "query" | "mutation";
  meta: Meta;
  input: z.ZodObject;
  output: z.ZodType;
  /** Path parameters and the fields of the input that they are. */
  parameters: readonly Parameter[];
  /** 204 where there is no output. */
  status: 200 | 201 | 204;
  /** Calls the procedure and gives its output; throws what it throws. */
  call(ctx: Context, request: RestRequest, signal?: AbortSignal): Promise<unknown>;
}

export interface RestRequest {
  params: Record<string, string>;
  /** Null where there is none. */
  query: URLSearchParams | null;
  /** Gives the parsed JSON of POST and PATCH, undefined where there was none; called when the input is read. */
  readBody: () => unknown;
}

export interface Parameter {
  parameter: string;
  field: string;
}

interface ProcedureDef {
  type: "query" | "mutation" | "subscription";
  meta?: Meta;
  inputs: (z.ZodObject | z.ZodPrefault<z.ZodObject>)[];
  output: z.ZodType;
}

type Procedure = ((options: object) => Promise<unknown>) & { _def: ProcedureDef };

/**
 * Derives the REST routes from the procedures, static segments before parameters.
 * Throws on two procedures at one address, and on a path parameter that is no field of the input.
 */
export function restRoutes(appRouter: AnyTRPCRouter): RestRoute[] {
  const procedures = Object.entries(appRouter._def.procedures as Record<string, Procedure>);
  const routes = procedures.flatMap(([name, procedure]) => toRoute(name, procedure) ?? []);
  const addresses = new Set<string>();
  for (const { method, path, procedure } of routes) {
    const address = `${method} ${path.replaceAll(/:\w+/g, ":")}`;
    if (addresses.has(address))
      throw new Error(`${procedure}: ${method} ${path} is taken by another procedure`);
    addresses.add(address);
  }
  return routes.toSorted((one, other) => (rank(one) < rank(other) ? -1 : 1));
}

/** A static segment sorts before a parameter in its place, whatever its name, so the more specific path comes first. */
const rank = ({ path, method }: RestRoute) => `${path.replaceAll(/:\w+/g, "~")} ${method}`;

function toRoute(name: string, procedure: Procedure): RestRoute | null {
  const { type, meta, inputs, output } = procedure._def;
  const [given] = inputs;
  if (meta === undefined || type === "subscription") return null;
  if (given === undefined) throw new Error(`${name}: a procedure on REST has an input`);
  // Where the input may be left out, REST has an empty one.
  const input = "unwrap" in given ? given.unwrap() : given;
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
    status: output._zod.def.type === "void" ? 204 : status,
    async call(ctx, request, signal) {
      // Read when the procedure asks for it: a caller who may not call at all is told that first.
      const getRawInput = async () => readInput(request);
      return procedure({ path: name, type, ctx, getRawInput, signal, batchIndex: 0 });
    },
  };
}

function parametersOf(name: string, rest: RestMeta, input: z.ZodObject): Parameter[] {
  return [...rest.path.matchAll(/:(\w+)/g)].map(([, parameter = ""]) => {
    const field = rest.params?.[parameter] ?? parameter;
    if (!(field in input.shape))
      throw new Error(`${name}: path parameter ${parameter} is no field of the input`);
    return { parameter, field };
  });
}

/** Compiles, once per procedure, how path, query and body become its input. */
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
  // Anything but an object is wrong, and the procedure's own contract says so best.
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) return raw;
  const input: Record<string, unknown> = { ...raw };
  for (const { parameter, field } of parameters) {
    const value = params[parameter];
    if (Object.hasOwn(input, field) && input[field] !== value) {
      throw validationFailed([{ path: [field], code: "path_mismatch", message: "Must equal the path's" }]);
    }
    input[field] = value;
  }
  return input;
}

const misplaced = (name: string): Issue => ({
  path: [name],
  code: "unrecognized_keys",
  message: "Belongs into the body",
});
