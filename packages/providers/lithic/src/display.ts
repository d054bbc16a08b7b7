import type { CardDisplay } from "@purser/cards/ports";
import { z } from "zod";
import type { CallLithic } from "./client.ts";
import type { LithicConfig } from "./settings.ts";

/** How long the browser may take to load the frames. */
const sessionLifeMs = 60_000;

/**
 * Embeds: frames of Lithic that show the details of one card, each once, in a page of one origin. The SDK knows only their
 * deprecated predecessor. See `POST /v1/cards/{card_token}/embed` in Lithic's API description.
 */
export function lithicCardDisplay(call: CallLithic, { clock }: LithicConfig, baseUrl: string): CardDisplay {
  return {
    component: { kind: "lithic-embeds", origin: new URL(baseUrl).origin },
    async grant({ reference }, { origin }) {
      const expiration = Math.floor((clock.now().getTime() + sessionLifeMs) / 1000);
      const body = { type: "CARD_EMBED", target_origin: origin, expiration };
      const path = `/v1/cards/${encodeURIComponent(reference)}/embed`;
      const { session } = await call("cards.embed", EmbedSession, (lithic, options) =>
        lithic.post(path, { ...options, body }),
      );
      return { kind: "lithic-embeds", session };
    },
  };
}

const EmbedSession = z.object({ session: z.string().min(1).max(5000) });
