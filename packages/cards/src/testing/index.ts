export { type TestCard, createCardFixture, type CardFixture } from "./card-scene.ts";
export { flakyIssuer } from "./flaky-issuer.ts";
export { adviceOn, cardNetwork, reportMessages } from "./network.ts";
