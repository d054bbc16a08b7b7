export { createPurserClient } from "./client.ts";
export { type Issue, type ProblemDocument, PurserError, type PurserErrorCode } from "./error.ts";
export { type ProblemCode } from "./generated/problem-code.ts";
export type * from "./generated/purser-client.ts";
export {
  type CallOptions,
  type MutationOptions,
  type PurserClientOptions,
  type RequestHeaders,
} from "./options.ts";
export { type PaginateOptions, paginate } from "./paginate.ts";
