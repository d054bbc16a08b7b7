export { findUndecryptable, keyStatus, rotateKeys } from "./rotation.ts";
