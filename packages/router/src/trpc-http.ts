import { Problem, validationFailed } from "@purser/core";
import { emptyResponse } from "@purser/platform";
import { type AnyTRPCRouter, getTRPCErrorFromUnknown, getTRPCErrorShape } from "@trpc/server";
import type { Context } from "./context.ts";
import { procedureProblem } from "./problems.ts";
import { type ProcedureInfo, configOf, isList, proceduresOf, wrapProcedures } from "./procedures.ts";
import { type TrackedStream, isTrackedStream } from "./stream.ts";

/** A request of tRPC's protocol over HTTP: one call, or a batch of them. */
export interface TrpcRequest {
  /** The names of the called procedures. Only a batch has several. */
  names: readonly string[];
  isBatch: boolean;
  /** JSON of the input; for a batch, of the inputs by position. Null without an input. */
  input: string | null;
}

export interface TrpcReply {
  status: number;
  /** JSON of the envelope; for a batch, of one envelope per call. */
  body: string;
  problems: Problem[];
  /** Whether a mutation was answered with the stored output of an earlier call. */
  replayed: boolean;
}

/**
 * Calls the procedures of a request and wraps each outcome as tRPC's clients read it. The envelope of a list also has
 * the cursor of the next page: `{ result: { data, nextAfter } }`, null after the last page.
 *
 * `toProblem` may report an error in addition.
 */
export async function handleTrpcRequest(
  router: AnyTRPCRouter,
  request: TrpcRequest,
  ctx: Context,
  toProblem: (error: unknown) => Problem = procedureProblem,
): Promise<TrpcReply> {
  const inputOf = inputReader(router, request);
  const calls = request.names.map((name, index) => {
    // Each call of a batch has its own response metadata.
    const call = { name, index, ctx: { ...ctx, response: emptyResponse() } };
    return runCall(router, call, () => inputOf(index), toProblem);
  });
  const results = await Promise.all(calls);
  return {
    ...rendered(request, results),
    problems: results.flatMap(({ problem }) => problem ?? []),
    replayed: results.some(({ replayed }) => replayed),
  };
}

function rendered({ isBatch }: TrpcRequest, results: CallResult[]): Pick<TrpcReply, "status" | "body"> {
  const envelopes = results.map(({ envelope }) => envelope);
  const statuses = new Set(results.map(({ problem }) => problem?.status ?? 200));
  const [status = 200] = statuses;
  return {
    status: statuses.size > 1 ? 207 : status,
    body: JSON.stringify(isBatch ? envelopes : envelopes[0]),
  };
}

/**
 * Returns the same router for tRPC's own handler, with procedures that read the inputs of this batch as `handleTrpcRequest` reads
 * them: after the check of the caller, and each for itself. Each call also has its own response metadata.
 */
export function withBatchInputs(router: AnyTRPCRouter, request: TrpcRequest): AnyTRPCRouter {
  const inputOf = inputReader(router, request);
  const procedures = proceduresOf(router);
  return wrapProcedures(router, (name, call) => (options) => {
    const { batchIndex, ctx } = options as { batchIndex: number; ctx: Context };
    const getRawInput = async () => procedureInput(procedures.get(name)!, inputOf(batchIndex));
    return call({ ...options, ctx: { ...ctx, response: emptyResponse() }, getRawInput });
  });
}

interface Call {
  name: string;
  index: number;
  ctx: Context;
}

interface CallResult {
  envelope: object;
  problem: Problem | null;
  replayed: boolean;
}

async function runCall(
  router: AnyTRPCRouter,
  { name, index, ctx }: Call,
  readInput: () => unknown,
  toProblem: (error: unknown) => Problem,
): Promise<CallResult> {
  const procedure = proceduresOf(router).get(name);
  const { output } = configOf(router).transformer;
  try {
    if (procedure === undefined) throw new Problem("NOT_FOUND");
    const data = await procedure.call({
      path: name,
      type: procedure.type,
      ctx,
      // A procedure reads its input after the check of the caller, so 401 comes before 400.
      getRawInput: async () => procedureInput(procedure, readInput()),
      signal: undefined,
      batchIndex: index,
    });
    const { replayed, nextAfter } = ctx.response;
    const result = { data: output.serialize(data), ...(isList(procedure) && { nextAfter }) };
    return { envelope: { result }, problem: null, replayed };
  } catch (error) {
    const envelope = { error: output.serialize(errorShape(router, procedure, { name, ctx }, error)) };
    return { envelope, problem: toProblem(error), replayed: false };
  }
}

/**
 * Lists take `cursor` as another name of `after`, and the direction in which they run, because tRPC's infinite queries
 * send both.
 */
function procedureInput(procedure: ProcedureInfo, raw: unknown): unknown {
  if (!isList(procedure) || !isObject(raw)) return raw;
  const { cursor = null, direction = "forward", ...input } = raw;
  if (direction !== "forward") {
    throw validationFailed([
      {
        path: ["direction"],
        code: "invalid_value",
        message: 'Must be "forward": lists have no other direction',
      },
    ]);
  }
  return cursor === null ? input : { ...input, after: cursor };
}

/**
 * Opens the subscription of a request. `lastEventId` is what a browser sends in a header when it reconnects, and wins over
 * that of the input. Throws what the procedure throws.
 */
export async function subscribeTrpc(
  router: AnyTRPCRouter,
  request: TrpcRequest & { lastEventId: string | undefined },
  ctx: Context,
): Promise<TrackedStream<unknown>> {
  const [name = ""] = request.names;
  const procedure = proceduresOf(router).get(name)!;
  const inputOf = inputReader(router, request);
  const output = await procedure.call({
    path: name,
    type: procedure.type,
    ctx,
    getRawInput: async () => {
      const raw = inputOf(0);
      const { lastEventId } = request;
      return lastEventId && isObject(raw) ? { ...raw, lastEventId } : raw;
    },
    signal: undefined,
    batchIndex: 0,
  });
  if (!isTrackedStream(output)) throw new Error(`${name} has answered without a stream`);
  return output;
}

/** Parses the inputs when a procedure first asks for one. */
function inputReader(router: AnyTRPCRouter, { isBatch, input }: TrpcRequest): (index: number) => unknown {
  const { input: transformer } = configOf(router).transformer;
  const parsed = memoized(() => (input === null ? undefined : parseInput(input)));
  const known = new Map<number, unknown>();
  return (index) => {
    if (!known.has(index)) {
      const inputs = isBatch ? batchInputs(parsed()) : [parsed()];
      const raw = inputs[index];
      known.set(index, raw === undefined ? undefined : transformer.deserialize(raw));
    }
    return known.get(index);
  };
}

function memoized<Value>(compute: () => Value): () => Value {
  let known: { value: Value } | undefined;
  return () => (known ??= { value: compute() }).value;
}

function parseInput(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem("MALFORMED_JSON");
  }
}

function batchInputs(inputs: unknown = {}): Record<number, unknown> {
  if (isObject(inputs)) return inputs;
  throw validationFailed([
    { path: [], code: "invalid_type", message: 'Must be an object keyed by position, such as {"0": …}' },
  ]);
}

/** Returns the error of an envelope. It also serves requests that are refused before a procedure runs. */
export function errorShape(
  router: AnyTRPCRouter,
  procedure: Pick<ProcedureInfo, "type"> | undefined,
  { name, ctx }: { name: string; ctx: Pick<Context, "requestId"> },
  error: unknown,
): object {
  return getTRPCErrorShape({
    config: configOf(router),
    error: getTRPCErrorFromUnknown(error),
    type: procedure?.type ?? "unknown",
    path: name,
    input: undefined,
    ctx,
  });
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
