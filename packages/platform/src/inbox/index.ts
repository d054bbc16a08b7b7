export { type SandboxDelivery, type SandboxEvent, type WebhookKey } from "./delivery.ts";
export { findInbox, type InboxEntry, type InboxStatus, listInbox, showInbox } from "./inspect.ts";
export { discardWebhook, receiveWebhook, replayWebhook, replayWebhookIn } from "./receive.ts";
export { type RefusedWebhook, type VerifiedWebhook, type WebhookReceiver } from "./receiver.ts";
export {
  deliverSandboxEvent,
  readSandboxEvent,
  sandboxSecret,
  signSandboxEvent,
  verifySandboxEvent,
} from "./sandbox.ts";
export { hmacMatches, isTimely } from "./signature.ts";
