import type { TRPC_ERROR_CODE_NUMBER } from "@trpc/server";
import type { ProblemDocument } from "./error.ts";

/** The types common to all procedures: errors carry a problem, and a transformer preserves dates. */
export interface RouterTypes {
  ctx: object;
  meta: object;
  errorShape: {
    code: TRPC_ERROR_CODE_NUMBER;
    message: string;
    data: { httpStatus: number; problem: ProblemDocument; retryAfterSeconds: number | null };
  };
  transformer: true;
}

/** The input of a list as infinite queries send it: `cursor` is another name of `after`. */
export type WithCursor<Input> = Input & {
  cursor?: string | null | undefined;
  direction?: "forward" | undefined;
};

/** The values of a subscription, each with the id after which another one continues. */
export type StreamOf<Value> = AsyncIterable<{ id: string; data: Value }, undefined, undefined>;
