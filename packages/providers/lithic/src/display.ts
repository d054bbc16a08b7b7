import type { CardDisplay } from "@purser/cards/ports";
import { lithicSdk } from "./client.ts";
import type { LithicConfig } from "./settings.ts";

/** A signed address stays valid this long, as the SDK's own default. It is loaded as soon as it is made. */
const addressLifeMs = 60_000;

/**
 * The embedded card UI: a page of Lithic that shows the number of one card. Its address is signed with the API key, and
 * making it calls nobody. See https://docs.lithic.com/docs/embedded-card-ui.
 */
export function lithicCardDisplay(config: LithicConfig): CardDisplay {
  const { cards, baseURL } = lithicSdk(config);
  return {
    component: { kind: "frame", origin: new URL(baseURL).origin },
    async grant({ reference: token }) {
      const expiration = new Date(config.clock.now().getTime() + addressLifeMs).toISOString();
      return { kind: "frame", url: cards.getEmbedURL({ expiration, token }) };
    },
  };
}
