export { type KeyUse, type UnreadableSecret, findUndecryptable, keyStatus, rotateKeys } from "./rotation.ts";
