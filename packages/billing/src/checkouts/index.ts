export { findCheckoutByReference } from "./store.ts";
