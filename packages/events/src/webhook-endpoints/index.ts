export * from "./contract.ts";
export * from "./deliveries/contract.ts";
export { listWebhookDeliveries, redeliverWebhook } from "./deliveries/service.ts";
export { findWebhookDeliveryById } from "./deliveries/store.ts";
export { webhookHooks } from "./hooks.ts";
export {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  listWebhookEndpoints,
  rotateWebhookSecret,
  testWebhookEndpoint,
  updateWebhookEndpoint,
} from "./service.ts";
export { findWebhookEndpointById } from "./store.ts";
