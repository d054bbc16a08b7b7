import { createHmac } from "node:crypto";
import type { SignedEvent } from "@purser/billing/testing";
import type { Clock } from "@purser/core";
import { timestamp } from "./entities.ts";
import { type PaddleWebhooks, paddleContract } from "./vendor-contract.ts";

let count = 0;

/** An event in Paddle's form. */
export function newEvent(type: string, entity: object, at: Date) {
  const number = String((count += 1)).padStart(26, "0");
  // Paddle's events omit links that contain a login token.
  const { management_urls: _links, ...data } = structuredClone(entity) as Record<string, unknown>;
  return {
    event_id: `evt_${number}`,
    event_type: type,
    occurred_at: timestamp(at),
    notification_id: `ntf_${number}`,
    data,
  };
}

/** Builds the webhook request of an event, with one signature per secret. */
export function signPaddleEvent(event: object | string, secrets: readonly string[], at: Date): SignedEvent {
  const body = Buffer.from(typeof event === "string" ? event : JSON.stringify(event));
  const time = Math.floor(at.getTime() / 1000);
  const signatures = secrets.map((secret) => {
    const hmac = createHmac("sha256", secret).update(`${time}:`).update(body);
    return `h1=${hmac.digest("hex")}`;
  });
  const headers = new Headers({ "Paddle-Signature": [`ts=${time}`, ...signatures].join(";") });
  return { body, headers };
}

/** Records all events. */
export function outbox(clock: Clock, secrets: readonly string[]) {
  const sent: SignedEvent[] = [];
  return {
    sent,
    emit: (type: keyof PaddleWebhooks, entity: object) => {
      const now = clock.now();
      const event = paddleContract.webhook(type, newEvent(type, entity, now));
      sent.push(signPaddleEvent(event, secrets, now));
    },
    /** Returns the events that an action caused, in order. */
    eventsOf: (act: () => void): SignedEvent[] => {
      const before = sent.length;
      act();
      return sent.slice(before);
    },
    resign: ({ body }: SignedEvent): SignedEvent => signPaddleEvent(body.toString(), secrets, clock.now()),
  };
}
