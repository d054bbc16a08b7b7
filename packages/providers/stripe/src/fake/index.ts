// The fake Stripe, for tests of other packages.
export { startStripeBillingFake } from "./billing/index.ts";
export { signStripeEvent } from "./events.ts";
export { startStripeIssuingFake } from "./issuing/index.ts";
export { fakeDispute, fakePurchase } from "./issuing/network.ts";
