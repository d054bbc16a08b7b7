export { type HeldCard, openWallet, type Wallet } from "./card-scene.ts";
export { unrulyIssuer } from "./flaky-issuer.ts";
export { adviceOn, networkOf } from "./network.ts";
