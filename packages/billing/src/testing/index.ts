export { type BillingFake, type SignedEvent, boughtSubscription } from "./fake.ts";
export { goodCard, startSandboxFake } from "./sandbox-fake.ts";
