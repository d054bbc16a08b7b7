import { proceduresOf } from "@purser/router";
import type { AnyTRPCRouter } from "@trpc/server";
import type { HttpContext } from "../http/context.ts";

/** What a request to `/trpc` asks for, as far as its address tells. */
export interface TrpcCall {
  /** What follows `/trpc/`, as it came. */
  path: string;
  /** The names in it, of which a batch has several. */
  names: string[];
  /** Those that are procedures. */
  known: string[];
  /** The kind of the first known procedure. */
  type: "query" | "mutation" | "subscription" | undefined;
  /** Whether they are of both kinds. */
  isMixed: boolean;
  methodFits: boolean;
  /** The methods that such a call may have. */
  allow: string;
  /** For logs and metrics. */
  route: string;
}

const methods = { query: ["GET", "HEAD"], mutation: ["POST"], subscription: ["GET"] };

export function readCall({ req }: HttpContext, router: AnyTRPCRouter): TrpcCall {
  const procedures = proceduresOf(router);
  const { pathname, searchParams } = new URL(req.url);
  const path = pathname.slice("/trpc/".length);
  const text = decoded(path);
  const names = searchParams.get("batch") === "1" ? text.split(",") : [text];
  const known = names.filter((name) => procedures.has(name));
  const type = known[0] === undefined ? undefined : procedures.get(known[0])?.type;
  const allowed = type === undefined ? [] : methods[type];
  return {
    path,
    names,
    known,
    type,
    isMixed: known.some((name) => procedures.get(name)?.type !== type),
    methodFits: allowed.includes(req.method),
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
