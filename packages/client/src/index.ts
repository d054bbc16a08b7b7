export { createPurserClient } from "./client.ts";
export { csvUrl } from "./csv-url.ts";
export { curlOf } from "./curl-of.ts";
export { decimalsOf } from "./decimals.ts";
export {
  type ClientErrorCode,
  type Issue,
  type ProblemDocument,
  PurserError,
  type PurserErrorCode,
  type PurserProblem,
  isProblem,
} from "./error.ts";
export { type AuthErrorCode } from "./generated/auth-error-code.ts";
export { type ProblemCode, type ProblemStatus } from "./generated/problem-code.ts";
export type * from "./generated/purser-client.ts";
export { isRefused } from "./is-refused.ts";
export { type ProcedureName, mayCall } from "./may-call.ts";
export { type TextField, maxLengthOf } from "./max-length-of.ts";
export { findMerchantCategory } from "./merchant-category.ts";
export type * from "./methods.ts";
export {
  type CallOptions,
  type MutationOptions,
  type PurserClientOptions,
  type RequestHeaders,
  type StreamOptions,
} from "./options.ts";
export { type PaginateOptions, paginate } from "./paginate.ts";
export { referenceUrl } from "./reference-url.ts";
