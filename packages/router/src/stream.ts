import { type TrackedEnvelope, tracked } from "@trpc/server";
import { z } from "zod";

/** The values of a subscription, each with the id after which another stream continues. */
export interface TrackedStream<Value> extends AsyncIterableIterator<
  TrackedEnvelope<Value>,
  undefined,
  undefined
> {
  /** The id of the current position, even before the first value. */
  readonly cursor: string;
  return(): Promise<IteratorResult<TrackedEnvelope<Value>, undefined>>;
}

/** The contracts of the values by the contract of their stream. */
const values = new WeakMap<z.ZodType, z.ZodType>();

/**
 * The output contract of a subscription. The stream's source checks its values, once for all who read them.
 *
 * @example
 * userProcedure.input(StreamEvents).output(streamOf(Event)).subscription(…)
 */
export function streamOf<Value extends z.ZodType>(value: Value) {
  const contract = z.custom<TrackedStream<z.output<Value>>>(isTrackedStream);
  values.set(contract, value);
  return contract;
}

/** Returns the contract of a stream's values, or undefined for the contract of an ordinary output. */
export function streamedValue(output: z.ZodType): z.ZodType | undefined {
  return values.get(output);
}

interface SourceStream<Value> {
  readonly cursor: string;
  next(): Promise<IteratorResult<{ cursor: string; event: Value }, undefined>>;
  return(): Promise<unknown>;
}

/** Presents a stream of events as tRPC's subscriptions do. */
export function trackedStream<Value>(source: SourceStream<Value>): TrackedStream<Value> {
  return {
    get cursor() {
      return source.cursor;
    },
    async next() {
      const { done, value } = await source.next();
      if (done) return { done, value };
      const { cursor: id, event: data } = value;
      // Callers in process get the envelope itself, but tRPC's types promise them `{ id, data }`. It is both.
      return { done: false, value: Object.assign(tracked(id, data), { id, data }) };
    },
    async return() {
      await source.return();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** Whether a procedure has answered with a stream. */
export function isTrackedStream(output: unknown): output is TrackedStream<unknown> {
  return (
    typeof output === "object" && output !== null && Symbol.asyncIterator in output && "cursor" in output
  );
}
