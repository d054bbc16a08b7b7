export { adapterErrors, describeIssues, type AreaErrorClass, providerFailure, retryAfter } from "./errors.ts";
export { openProviders } from "./registry.ts";
export { parseWebhookBody, refuseWebhook, verifyStandardWebhook } from "./webhooks.ts";
