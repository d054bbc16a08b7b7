export { type WebhookClient, createWebhookClient } from "./client.ts";
export { webhookMetrics } from "./metrics.ts";
export { WebhookSender } from "./sender.ts";
