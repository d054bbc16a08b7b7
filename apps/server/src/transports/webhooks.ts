import { Problem, validationFailed } from "@purser/core";
import { networkOfAddress } from "@purser/platform";
import { receiveWebhook } from "@purser/platform/inbox";
import type { Hono } from "hono";
import { readBytes } from "../http/body.ts";
import { clientAddress } from "../http/client-address.ts";
import type { HttpEnv } from "../http/context.ts";
import { apiHeaders } from "../http/headers.ts";
import { respond, respondWithJson } from "../http/response.ts";
import type { AppService } from "../service.ts";

/**
 * Mounts one address per configured provider: `POST /api/webhooks/<area>/<provider>`. The response is 2xx only after
 * the event is committed: until then the provider sends it again.
 */
export function mountWebhooks(app: Hono<HttpEnv>, { platform, receivers }: AppService): void {
  const addressOf = clientAddress(platform.settings.trustedProxies);
  for (const receiver of receivers) {
    // A body has at most 1 MiB. Requests of card issuers have memory of their own, so other webhooks never crowd them out.
    const purpose = receiver.area === "cards" ? "cards" : "webhooks";
    app.post(`/api/webhooks/${receiver.area}/${receiver.provider}`, async (c) => {
      const body = Buffer.from(await readBytes(c, purpose));
      const sender = networkOfAddress(addressOf(c));
      const receipt = await receiveWebhook(platform, receiver, body, c.req.raw.headers, sender);
      if (receipt.outcome === "refused") throw refusals[receipt.reason]();
      if (receipt.outcome === "answered") {
        const { status, headers, body: text } = receipt.response;
        return respond(c, status, text, { ...apiHeaders, ...headers });
      }
      return respondWithJson(c, 200, { received: true });
    });
  }
}

const refusals = {
  signature: () => new Problem("UNAUTHENTICATED", { detail: "The signature does not match." }),
  time: () =>
    new Problem("UNAUTHENTICATED", {
      detail: "The signature's timestamp is more than five minutes from now.",
    }),
  malformed: () =>
    validationFailed([{ path: [], code: "invalid_request", message: "The body is not an event" }]),
};
