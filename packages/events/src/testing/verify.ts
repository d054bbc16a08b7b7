import { Webhook } from "standardwebhooks";
import { vi } from "vitest";
import type { ReceivedWebhook } from "./receiver.ts";

/** Verifies a delivery with the public package, at the time at which it was sent. Returns its body. */
export function verifyDelivery(secret: string, { body, headers }: ReceivedWebhook): unknown {
  vi.setSystemTime(Number(headers["webhook-timestamp"]) * 1000);
  try {
    return new Webhook(secret).verify(body, headers);
  } finally {
    vi.useRealTimers();
  }
}
