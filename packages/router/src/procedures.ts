import type { AnyTRPCRouter, TRPCProcedureType } from "@trpc/server";
import { z } from "zod";
import type { Meta } from "./meta.ts";

// tRPC has no public way to read a router. This is the only file that reads its private fields.

/** A procedure as REST, OpenAPI, the client and the tests read it. */
export interface ProcedureInfo {
  /** Its path, such as `organizations.members.list`. */
  name: string;
  type: TRPCProcedureType;
  /** Undefined for a procedure of a test. Every procedure of the app has one. */
  meta: Meta | undefined;
  /** The input contracts, in the order in which tRPC checks them. Every procedure of the app has exactly one. */
  inputs: readonly z.ZodType[];
  output: z.ZodType | undefined;
  /** The last of them calls the resolver. */
  middlewares: readonly ProcedureMiddleware[];
  resolver: (options: object) => unknown;
  call: ProcedureCall;
}

export type ProcedureCall = (options: object) => Promise<unknown>;

export interface ProcedureMiddleware {
  /** Set for the checks of the contracts, undefined for other middleware. */
  _type?: "input" | "output";
}

/** Returns the procedures of a router by name, in the router's order. */
export function proceduresOf(router: AnyTRPCRouter): ReadonlyMap<string, ProcedureInfo> {
  const known = cache.get(router);
  if (known !== undefined) return known;
  const procedures = Object.entries(router._def.procedures as Record<string, TrpcProcedure>);
  const infos = new Map(
    procedures.map(([name, procedure]) => {
      const { type, meta, inputs, output, middlewares, resolver } = procedure._def;
      return [name, { name, type, meta, inputs, output, middlewares, resolver, call: procedure }];
    }),
  );
  cache.set(router, infos);
  return infos;
}

/** Whether a procedure is a list that is read in pages: it continues after the item `after`. */
export function isList({ inputs, output }: Pick<ProcedureInfo, "inputs" | "output">): boolean {
  const input = inputContractOf(inputs);
  return input instanceof z.ZodObject && "after" in input.shape && output instanceof z.ZodArray;
}

/** Returns the contract of an input. On tRPC the input of some procedures may be absent (`prefault({})`). */
export function inputContractOf([contract]: ProcedureInfo["inputs"]) {
  return contract instanceof z.ZodPrefault ? contract.unwrap() : contract;
}

/**
 * Returns the same router with every call wrapped, for any transport.
 *
 * @example
 * wrapProcedures(appRouter, (name, call) => (options) => trace(name, () => call(options)));
 */
export function wrapProcedures(
  router: AnyTRPCRouter,
  wrap: (name: string, call: ProcedureCall) => ProcedureCall,
): AnyTRPCRouter {
  const procedures = Object.entries(router._def.procedures as Record<string, TrpcProcedure>);
  const wrapped = procedures.map(([name, procedure]) => [
    name,
    Object.assign(wrap(name, procedure), procedure),
  ]);
  // Without a prototype, as tRPC's own, or its handler would find inherited properties such as "constructor".
  const record = Object.setPrototypeOf(Object.fromEntries(wrapped), null) as object;
  return { ...router, _def: { ...router._def, procedures: record } };
}

/** Returns the transformer and error formatter of a router, for an answer that no procedure gives. */
export function configOf(router: AnyTRPCRouter): AnyTRPCRouter["_def"]["_config"] {
  return router._def._config;
}

type TrpcProcedure = ProcedureCall & { _def: Omit<ProcedureInfo, "name" | "call"> };

const cache = new WeakMap<AnyTRPCRouter, ReadonlyMap<string, ProcedureInfo>>();
