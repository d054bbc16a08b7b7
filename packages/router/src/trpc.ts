import { Problem, cachedDateText, checkReportLength, problemDocument } from "@purser/core";
import { decodeWire, encodeWire } from "@purser/core/wire";
import {
  type ListContext,
  type OrganizationAccess,
  type ReadDatabase,
  type RequiredRole,
  findAccess,
  refuseAccess,
} from "@purser/organizations";
import {
  type CsvLines,
  type SignedIn,
  databaseOf,
  findStoredOutput,
  outdatedOutput,
  requireAdministrator,
  trustedRedirect,
} from "@purser/platform";
import {
  type ProcedureType,
  type TRPCMiddlewareFunction,
  type TRPC_ERROR_CODE_NUMBER,
  initTRPC,
} from "@trpc/server";
import { z } from "zod";
import type { Context } from "./context.ts";
import type { Meta } from "./meta.ts";
import { procedureProblem } from "./problems.ts";
import { type OrganizationLookup, organizationFromInput } from "./resource.ts";

/** tRPC's error number for each HTTP status. Its clients distinguish failures by it. */
const numberOf: Readonly<Record<number, TRPC_ERROR_CODE_NUMBER>> = {
  400: -32600,
  401: -32001,
  403: -32003,
  404: -32004,
  405: -32005,
  409: -32009,
  413: -32013,
  415: -32015,
  429: -32029,
};

const t = initTRPC
  .context<Context>()
  .meta<Meta>()
  .create({
    isDev: false,
    transformer: {
      serialize: (value) => encodeWire(value, cachedDateText),
      deserialize: (value) => decodeWire(value),
    },
    errorFormatter({ shape, error, ctx }) {
      const foreseen = procedureProblem(error);
      const problem = problemDocument(foreseen, ctx?.requestId ?? "");
      const code = numberOf[problem.status] ?? shape.code;
      // The calls of a batch share the header.
      const retryAfterSeconds = foreseen.retryAfterSeconds ?? null;
      return {
        code,
        message: problem.detail,
        data: { httpStatus: problem.status, problem, retryAfterSeconds },
      };
    },
  });

export const { router, createCallerFactory } = t;

/** For procedures without authentication. */
export const publicProcedure = t.procedure;

/**
 * For procedures that need a credential, of a user or of an organization. Authorization follows the input contract: a
 * procedure outside an organization gets its user with `userOf`, which refuses an organization's key.
 */
export const userProcedure = publicProcedure.use(async ({ ctx, path, type, next }) => {
  const { caller } = ctx;
  if (caller === null) throw new Problem("UNAUTHENTICATED");
  // A browser sends its cookie even with cross-site requests (CSRF).
  if (type === "mutation" && caller.credential === "cookie" && !ctx.fromTrustedOrigin) {
    throw new Problem("UNTRUSTED_ORIGIN");
  }
  const result = await next({ ctx: { caller, procedure: path } });
  // An invalid input has a ZodError, too, and an earlier call with the same context may have been replayed.
  const isOutput = !result.ok && result.error.code === "INTERNAL_SERVER_ERROR";
  if (isOutput && ctx.response.replayed && result.error.cause instanceof z.ZodError)
    throw outdatedOutput(result.error);
  return result;
});

/**
 * For an input that the settings or the clock limit, which its contract does not know. `check` throws VALIDATION_FAILED. Put it between
 * the output and the authorization, because an invalid input is reported first.
 */
export function checkInput<Input>(
  check: (ctx: Context, input: Input) => void,
): TRPCMiddlewareFunction<Context, Meta, SignedIn, object, Input> {
  return ({ ctx, input, next }) => {
    check(ctx, input);
    return next();
  };
}

/** For inputs with a `redirectUrl`, which must be on a trusted origin. */
export const checkRedirect = checkInput<{ redirectUrl?: string | undefined }>((ctx, { redirectUrl }) => {
  trustedRedirect(ctx, redirectUrl, "/");
});

/** For the range of a report. The organization's time zone decides later where the length depends on it. */
export const checkRange = checkInput<{ from: Date; to: Date }>((ctx, range) => {
  checkReportLength(range, ctx.clock.now());
});

type Authorization<Input, Granted> = TRPCMiddlewareFunction<Context, Meta, SignedIn, Granted, Input>;

/** Administrators only. Put it after the input, because an invalid input is reported first. */
export const asAdministrator = authorize<unknown, object>((ctx) => {
  requireAdministrator(ctx.caller);
  return {};
});

/**
 * Members of the organization only, or its owners only. A caller who is not a member gets `of.missing`, as for an
 * unknown identifier. A member without the role gets FORBIDDEN, and so does a read-only key for a write. If the input names
 * an unknown resource, that error comes first. `ownerOrKey` also accepts keys that may write.
 *
 * Without `of`, the input has `organizationId` or `teamId`.
 */
export function inOrganization(
  role: RequiredRole,
): Authorization<{ organizationId: string } | { teamId: string }, OrganizationAccess>;
export function inOrganization<Input>(
  role: RequiredRole,
  of: OrganizationLookup<Input>,
): Authorization<Input, OrganizationAccess>;
export function inOrganization(role: RequiredRole, of: OrganizationLookup<never> = organizationFromInput) {
  return authorize(async (ctx, input: never, type) => {
    const { caller, clock } = ctx;
    const organizationId = await of.organizationOf(ctx.db, input, caller);
    if (!organizationId) throw new Problem(of.missing);
    const db = await databaseOf(ctx, organizationId);
    const access = await findAccess(db, organizationId, caller, clock.now());
    if (!access) throw new Problem(of.missing);
    const refusal = refuseAccess(role, access, caller, type === "mutation");
    // A change begins on the coordinator, with its idempotency key.
    if (refusal === null)
      return type === "query" ? { ...access, db: ctx.nodes?.requests.inSameRequest(db) ?? db } : access;
    // Unknown ids are reported first. The use case looks for them too, so only a refused call costs this look-up.
    for (const { missing, isVisible } of of.names ?? [])
      if (!(await isVisible(db, organizationId, input, ctx))) throw new Problem(missing);
    throw refusal;
  });
}

/**
 * For lists that may be long. Reads from the replica while it has every earlier commit, and otherwise from the primary. On a
 * distributed database, reads where `inOrganization` has read.
 * Put it last. Never use it for a mutation, or for a query that a decision depends on.
 */
export const fromReplica: TRPCMiddlewareFunction<
  Context,
  Meta,
  SignedIn & OrganizationAccess,
  ReadDatabase,
  unknown
> = async ({ ctx, next }) => {
  if (ctx.replica === null || ctx.nodes !== null) return next({ ctx: { readDb: ctx.db } });
  return ctx.replica.read(async (readDb) => {
    // The read runs again on the primary if the replica aborts it.
    ctx.response.nextAfter = null;
    const result = await next({ ctx: { readDb } });
    if (!result.ok) throw result.error;
    return result;
  });
};

/**
 * For a list that is also served as CSV (`meta.rest.csv`): writes a page of lines if the transport reads it as CSV. Put it
 * after `fromReplica`, so that a file has the rights, the filters and the database of the list.
 */
export function asCsv<Input extends { limit: number }>(
  writeLines: (ctx: ListContext, input: Input) => Promise<CsvLines>,
): TRPCMiddlewareFunction<Context, Meta, SignedIn & OrganizationAccess & ReadDatabase, object, Input> {
  return async ({ ctx, input, next }) => {
    const { csv, response } = ctx;
    if (csv === undefined) return next();
    csv.admit(ctx.organization.id, ctx.membership.role);
    const { text, nextAfter } = await writeLines(ctx, { ...input, limit: csv.limit });
    Object.assign(response, { csv: text, nextAfter });
    return answered([]);
  };
}

/** Extends the context or throws. An idempotent replay is answered before a refusal. */
function authorize<Input, Granted extends object>(
  grant: (ctx: Context & SignedIn, input: Input, type: ProcedureType) => Granted | Promise<Granted>,
): Authorization<Input, Granted> {
  return async ({ ctx, input, type, next }) => {
    let granted: Granted;
    try {
      granted = await grant(ctx, input, type);
    } catch (refusal) {
      // A repeated delete or leave fails the check, because the first call removed the row. Return its stored output.
      const first = type === "mutation" ? await findStoredOutput(ctx, input) : null;
      if (first === null) throw refusal;
      return answered(first.output);
    }
    return next({ ctx: granted });
  };
}

/** tRPC brands results so that middleware must call next(). Here nothing is left to run. */
const answered = (data: unknown) => ({ ok: true, data, marker: "middlewareMarker" as never }) as const;
