import type { TRPC_ERROR_CODE_NUMBER } from "@trpc/server";
import type { ProblemDocument } from "./error.ts";

/** What holds for all procedures of the router: errors carry a problem, and dates travel as dates. */
export interface RouterTypes {
  ctx: object;
  meta: object;
  errorShape: {
    code: TRPC_ERROR_CODE_NUMBER;
    message: string;
    data: { httpStatus: number; problem: ProblemDocument };
  };
  transformer: true;
}
