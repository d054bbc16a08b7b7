import { type CardDisplay, IssuerError } from "@purser/cards/ports";
import { Stripe } from "stripe";
import { z } from "zod";
import type { StripeCall } from "../client.ts";

/**
 * Issuing Elements: Stripe.js makes a nonce for one card in the browser, and an ephemeral key for that nonce lets the same
 * Stripe.js show the card's number. See https://docs.stripe.com/issuing/elements.
 */
export function stripeCardDisplay(call: StripeCall, publishableKey: string): CardDisplay {
  return {
    component: { kind: "stripe-elements", publishableKey },
    async grant({ reference }, { nonce }) {
      if (nonce === null) throw new IssuerError("refused", "Stripe, ephemeralKeys.create: there is no nonce");
      // The key has the API version of its creation, so the SDK requires that it is named.
      const { secret } = await call("ephemeralKeys.create", EphemeralKey, (stripe, options) =>
        stripe.ephemeralKeys.create(
          { issuing_card: reference, nonce },
          { ...options, apiVersion: Stripe.API_VERSION },
        ),
      );
      return { kind: "stripe-elements", ephemeralKeySecret: secret };
    },
  };
}

const EphemeralKey = z.object({ secret: z.string().min(1).max(5000) });
