export { BillingEvent, ListEvents, ReplayEvent } from "./contract.ts";
export { listEvents, replayEvent } from "./service.ts";
