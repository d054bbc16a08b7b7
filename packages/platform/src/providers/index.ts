export { adapterErrors, describeIssues, type AreaErrorClass, retryAfter } from "./errors.ts";
export { parseWebhookBody, refuseWebhook, verifyStandardWebhook } from "./webhooks.ts";
