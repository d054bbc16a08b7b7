export * from "./contract.ts";
export * from "./deliveries/contract.ts";
export * from "./deliveries/service.ts";
export { findWebhookDeliveryById } from "./deliveries/store.ts";
export * from "./service.ts";
export { findWebhookEndpointById } from "./store.ts";
export { requireEndpointUrl } from "./url.ts";
