// The fake Stripe, for tests of other packages.
export { startStripeBillingFake } from "./billing/index.ts";
export { fakePurchase } from "./issuing/network.ts";
