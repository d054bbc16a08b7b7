export { discardWebhook, replayWebhook, replayWebhookIn } from "./apply.ts";
export { findWebhook, type InboxEntry, type InboxStatus, listWebhooks, showWebhook } from "./inspect.ts";
export { receiveWebhook } from "./receive.ts";
export {
  type RefusedWebhook,
  type SandboxWebhook,
  type SandboxEvent,
  type VerifiedWebhook,
  type WebhookResponse,
  type WebhookEffect,
  type WebhookEvent,
  type WebhookKey,
  type WebhookReceiver,
} from "./receiver.ts";
export {
  deliverSandboxEvent,
  readSandboxEvent,
  sandboxSecret,
  signSandboxEvent,
  verifySandboxEvent,
} from "./sandbox.ts";
export { hmacMatches, isTimely } from "./signature.ts";
