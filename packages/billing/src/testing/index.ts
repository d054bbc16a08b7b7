export { type BillingFake, type SignedEvent } from "./fake.ts";
export { goodCard, startSandboxFake } from "./sandbox-fake.ts";
