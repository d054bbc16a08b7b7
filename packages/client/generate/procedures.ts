import type { ProblemCode } from "@purser/core";
import { audiences, isList, proceduresOf, streamedValue } from "@purser/router";
import type { AnyTRPCRouter, TRPCProcedureType } from "@trpc/server";
import type { z } from "zod";

/** The public description of a procedure. */
export interface Procedure {
  /** Its names, from the outermost router inwards. */
  path: string[];
  type: TRPCProcedureType;
  /** Whether it returns pages of a list. */
  isList: boolean;
  summary: string;
  /** Who may call it. */
  audience: keyof typeof audiences;
  /** Who may call it, and what it returns, as sentences. A procedure of a test may have neither. */
  access: string | undefined;
  returns: string | undefined;
  errors: readonly ProblemCode[];
  /** The REST address, if the list is also written as CSV. */
  csvPath: string | undefined;
  /** The REST address of a read, with the names of the input's fields. */
  readPath: string | undefined;
  input: z.core.$ZodType;
  /** The contract of the output or, for a subscription, of its values. */
  output: z.core.$ZodType;
}

/** Reads the procedures of a router, in its order. Throws for one without a summary or contracts. */
export function readProcedures(router: AnyTRPCRouter): Procedure[] {
  return [...proceduresOf(router).values()].map((procedure) => {
    const { name, type, meta, inputs, output } = procedure;
    const [input] = inputs;
    if (meta === undefined) throw new Error(`${name}: a procedure has a summary`);
    if (input === undefined || inputs.length > 1)
      throw new Error(`${name}: a procedure has one input contract`);
    if (output === undefined) throw new Error(`${name}: a procedure has an output contract`);
    const value = streamedValue(output);
    if ((type === "subscription") !== (value !== undefined))
      throw new Error(`${name}: a subscription, and nothing else, has values`);
    const { summary, access, returns, errors = [], rest } = meta;
    // A procedure of a test may have no address.
    const address = rest as typeof rest | undefined;
    return {
      path: name.split("."),
      type,
      isList: isList(procedure),
      summary,
      audience: access,
      access: audiences[access],
      returns,
      errors,
      csvPath: address?.csv && address.path,
      readPath: address?.method === "GET" ? withFields(address) : undefined,
      input,
      output: value ?? output,
    };
  });
}

const withFields = ({ path, params }: { path: string; params?: Record<string, string> }): string =>
  path.replaceAll(/:(\w+)/g, (_, parameter: string) => `:${params?.[parameter] ?? parameter}`);
