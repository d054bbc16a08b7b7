export { GetSubscription, Subscription } from "./contract.ts";
export { getSubscription } from "./service.ts";
