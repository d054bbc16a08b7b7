import type { Clock } from "@purser/core";
import type { z } from "zod";

/** An area's error for what goes wrong at its providers, such as `BillingError`, which has these kinds and may have more. */
export type AreaErrorClass<E extends Error, Kind extends string> = new (
  kind: Kind,
  message: string,
  options?: { retryAfterSeconds?: number },
) => E;

/** What every adapter says in the same words: `vendor` begins the message, for operators, of its area's error. */
export function adapterErrors<E extends Error>(vendor: string, Failure: AreaErrorClass<E, "outage">) {
  return {
    /** No answer, or one that breaks off or is no JSON. What is said of that may quote it: only the name is told. */
    noAnswer: (call: string, error: unknown): E =>
      new Failure("outage", `${vendor}, ${call}: no answer (${nameOf(error)})`),

    /** What was given, as it has to be. Throws otherwise, and tells paths and codes, never what was found there. */
    readable: <T>(what: string, schema: z.ZodType<T>, given: unknown): T => {
      const read = schema.safeParse(given);
      if (read.success) return read.data;
      const places = read.error.issues.map(({ path, code }) => `${path.join(".")} ${code}`).join(", ");
      throw new Failure("outage", `${vendor}, ${what}: it cannot be read (${places})`);
    },
  };
}

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  // Few classes give their errors a name of their own; of a DOMException nothing else tells what it is about.
  return error.name === "Error" ? error.constructor.name : error.name;
}

/** When to ask again, by the header `Retry-After`, which gives seconds or an instant: options of an area's error. */
export function retryAfter(header: string | null | undefined, clock: Clock): { retryAfterSeconds?: number } {
  const text = header?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return { retryAfterSeconds: Number(text) };
  // Of other texts the parser makes dates too.
  const until = text.endsWith("GMT") ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(until)) return {};
  return { retryAfterSeconds: Math.max(0, Math.ceil((until - clock.now().getTime()) / 1000)) };
}
