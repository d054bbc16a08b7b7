import { type KeyObject, createHmac, createSecretKey } from "node:crypto";
import { z } from "zod";
import type { Platform } from "../context.ts";
import { parseWebhookBody } from "../providers/webhooks.ts";
import type { Settings } from "../settings/platform-settings.ts";
import { configuredReceiver } from "./apply.ts";
import { type WebhookReceipt, receiveWebhook } from "./receive.ts";
import type {
  RefusedWebhook,
  SandboxWebhook,
  SandboxEvent,
  VerifiedWebhook,
  WebhookArea,
  WebhookReceiver,
} from "./receiver.ts";
import { hmacMatches, isTimely } from "./signature.ts";

const header = "Purser-Sandbox-Signature";

const Event = z.object({ id: z.string(), type: z.string(), data: z.record(z.string(), z.unknown()) });

/** The secret with which an area's sandbox signs. It is derived from the service's own, so there is none to set. */
export function sandboxSecret({ authSecret }: Pick<Settings, "authSecret">, area: WebhookArea): KeyObject {
  return createSecretKey(createHmac("sha256", authSecret).update(`sandbox webhooks of ${area}`).digest());
}

/** Returns the headers of an event that is signed at this instant. */
export function signSandboxEvent(secret: KeyObject, body: Buffer, at: Date): Headers {
  const seconds = Math.floor(at.getTime() / 1000);
  const signature = createHmac("sha256", secret).update(`${seconds}.`).update(body).digest("hex");
  return new Headers({ "Content-Type": "application/json", [header]: `t=${seconds},v1=${signature}` });
}

/** See `WebhookReceiver.verify`. */
export function verifySandboxEvent(
  secret: KeyObject,
  body: Buffer,
  headers: Headers,
  now: Date,
): VerifiedWebhook | RefusedWebhook {
  const [, seconds = "", signature = ""] =
    /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(headers.get(header) ?? "") ?? [];
  const message = [`${seconds}.`, body];
  if (!hmacMatches({ keys: [secret], message, signatures: [signature], encoding: "hex" })) {
    return { outcome: "refused", reason: "signature" };
  }
  if (!isTimely(new Date(Number(seconds) * 1000), now)) return { outcome: "refused", reason: "time" };
  const event = readSandboxEvent(body.toString("utf8"));
  if (event === null) return { outcome: "refused", reason: "malformed" };
  return { outcome: "verified", eventId: event.id, type: event.type };
}

/** Parses the event in a body; null if there is none. */
export function readSandboxEvent(body: string): SandboxEvent | null {
  return Event.safeParse(parseWebhookBody(body)).data ?? null;
}

/**
 * Delivers an event to its receiver as the HTTP transport does, signed at this instant. Throws if the event is
 * refused, and the job runs again.
 */
export async function deliverSandboxEvent(
  platform: Platform,
  receivers: readonly WebhookReceiver[],
  { area, provider = "sandbox", event }: SandboxWebhook,
): Promise<Exclude<WebhookReceipt, RefusedWebhook>> {
  const receiver = configuredReceiver(receivers, { area, provider });
  const body = Buffer.from(JSON.stringify(event));
  const headers = signSandboxEvent(sandboxSecret(platform.settings, area), body, platform.clock.now());
  const receipt = await receiveWebhook(platform, receiver, body, headers);
  if (receipt.outcome === "refused") throw new Error(`The sandbox's event was refused: ${receipt.reason}`);
  return receipt;
}
