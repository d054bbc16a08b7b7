export { idempotencyRetentionMs, purgeIdempotencyKeys } from "./claim.ts";
export { claimKeyIn } from "./in-organization.ts";
export { claimKey } from "./in-transaction.ts";
export { leaseKey, leaseKeyIn, releaseLapsedKeys } from "./lease.ts";
export { findStoredOutput, outdatedOutput } from "./stored-output.ts";
