import { createSecretKey } from "node:crypto";
import { z } from "zod";
import { hmacMatches, isTimely } from "@purser/platform/inbox";
import type { RefusedWebhook, VerifiedWebhook } from "@purser/platform/inbox";
import { parsed, refused } from "@purser/platform/providers";

type Verify = (body: Buffer, headers: Headers, now: Date) => VerifiedWebhook | RefusedWebhook;

/**
 * What checks Stripe's webhooks, see `WebhookReceiver.verify`: the header `Stripe-Signature` holds a time, and HMACs of
 * it and the body. The SDK's own check decodes the body first, so that other bytes pass for those that were signed, and
 * takes whatever was signed in the future: it is not what checks here. Its own helper signs in the tests.
 */
export function createStripeWebhookVerifier(secrets: readonly string[]): Verify {
  const keys = secrets
    .map((secret) => secret.trim())
    // Anybody could sign with an empty secret.
    .filter((secret) => secret !== "")
    .map((secret) => createSecretKey(secret, "utf8"));
  return (body, headers, now) => {
    const { time, signatures } = partsOf(headers.get("stripe-signature") ?? "");
    const isSigned = hmacMatches({ keys, message: [`${time}.`, body], signatures, encoding: "hex" });
    if (!isSigned || !/^\d{1,12}$/.test(time)) return refused("signature");
    if (!isTimely(new Date(Number(time) * 1000), now)) return refused("time");
    const { data } = Event.safeParse(parsed(body.toString("utf8")));
    if (data === undefined) return refused("malformed");
    return { outcome: "verified", eventId: data.id, type: data.type };
  };
}

const Name = z.string().min(1).max(255);
const Event = z.object({ id: Name, type: Name });

function partsOf(header: string): { time: string; signatures: string[] } {
  const parts = header.split(",").map((part) => part.trim().split("=", 2));
  const named = (name: string) => parts.filter(([key]) => key === name).map(([, value = ""]) => value);
  return {
    // Of several times the SDK takes the last one; the signature holds for one of them only.
    time: named("t").at(-1) ?? "",
    signatures: named("v1").filter((signature) => /^[\da-f]{64}$/.test(signature)),
  };
}
