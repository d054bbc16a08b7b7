export { adapterErrors, type AreaErrorClass, retryAfter } from "./errors.ts";
export { parsed, refused, standardWebhook } from "./webhooks.ts";
