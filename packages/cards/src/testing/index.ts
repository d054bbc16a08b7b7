export { type HeldCard, openWallet, type CardFixture } from "./card-scene.ts";
export { flakyIssuer } from "./flaky-issuer.ts";
export { adviceOn, networkOf } from "./network.ts";
