import { sandboxSecret, verifySandboxEvent } from "@purser/platform/inbox";
import type { Settings } from "@purser/platform/settings";
import type { IssuerWebhooks } from "../ports.ts";
import { readMessage } from "./mapping.ts";

/**
 * The sandbox's network waits for the answer to whatever it says: that is how its controls learn what became of it.
 * Its messages are signed like the events of the other sandboxes, with the secret of the area `cards`.
 */
export function sandboxCardWebhooks(settings: Pick<Settings, "authSecret">): IssuerWebhooks {
  const secret = sandboxSecret(settings, "cards");
  return {
    verify(body, headers, now) {
      const check = verifySandboxEvent(secret, body, headers, now);
      if (check.outcome === "refused" || readMessage(body.toString("utf8")) !== null) return check;
      return { outcome: "refused", reason: "malformed" };
    },
    isRequest: () => true,
    read({ body }) {
      const message = readMessage(body);
      return message === null ? [] : [message];
    },
    answer: (_event, { approved, reason }) => ({
      status: 200,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ approved, reason }),
    }),
  };
}
