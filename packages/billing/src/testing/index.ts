export { type BillingFake, type SignedEvent } from "./fake.ts";
export { goodCard, startLocalFake } from "./sandbox-fake.ts";
