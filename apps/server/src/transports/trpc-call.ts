import { type TrpcRequest, proceduresOf } from "@purser/router";
import type { AnyTRPCRouter, TRPCProcedureType } from "@trpc/server";
import type { HttpContext } from "../http/context.ts";

/** The calls of a request to `/trpc`, read from its URL. */
export interface TrpcCall extends TrpcRequest {
  /** The rest of the path after `/trpc/`, undecoded. */
  path: string;
  /** The JSON of the parameter `input`. Null without one. A POST has it in the body. */
  input: string | null;
  /** The names of existing procedures. */
  known: string[];
  /** The kind of the first known procedure. */
  type: TRPCProcedureType | undefined;
  /** Whether the batch contains both queries and mutations. */
  isMixed: boolean;
  methodFits: boolean;
  /** Whether there is the parameter in which tRPC's clients can send what others put into headers. */
  hasConnectionParams: boolean;
  /** The allowed HTTP methods, for the Allow header. */
  allow: string;
  /** The route label for logs and metrics. */
  route: string;
}

/** A query that is too long for a URL is sent by POST. A mutation must not be: browsers send GET with cookies from any site. */
const methods = { query: ["GET", "HEAD", "POST"], mutation: ["POST"], subscription: ["GET"] };

export function readCall({ req }: HttpContext, router: AnyTRPCRouter): TrpcCall {
  const procedures = proceduresOf(router);
  const { pathname, searchParams } = new URL(req.url);
  const path = pathname.slice("/trpc/".length);
  const text = decoded(path);
  const isBatch = searchParams.get("batch") === "1";
  const names = isBatch ? text.split(",") : [text];
  const known = names.filter((name) => procedures.has(name));
  const type = known[0] === undefined ? undefined : procedures.get(known[0])?.type;
  const allowed = type === undefined ? [] : methods[type];
  return {
    path,
    names,
    isBatch,
    input: searchParams.get("input") || null,
    known,
    type,
    isMixed: known.some((name) => procedures.get(name)?.type !== type),
    methodFits: allowed.includes(req.method),
    hasConnectionParams: searchParams.has("connectionParams"),
    allow: allowed.join(", "),
    route: names.length > 1 ? "/trpc/(batch)" : `/trpc/${known[0] ?? "(unknown)"}`,
  };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
