export { isPayable } from "./rules.ts";
export { findCheckoutByReference } from "./store.ts";
