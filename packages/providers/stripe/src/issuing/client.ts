import type { Stripe } from "stripe";
import type { z } from "zod";
import { stripeSdk } from "../client.ts";
import { readable, stripeError } from "./errors.ts";
import type { StripeConfig } from "./settings.ts";

/** What the parts of the adapter share. */
export interface StripeIssuing {
  readonly billingAddress: Stripe.AddressParam & Stripe.Issuing.CardholderCreateParams.Billing["address"];
  /** Makes one call and reads its answer. Throws {@link IssuerError} for every answer that is not what was asked for. */
  ask<T>(
    name: string,
    answer: z.ZodType<T>,
    call: (issuing: Stripe["issuing"]) => Promise<unknown>,
  ): Promise<T>;
}

export function stripeClient(config: StripeConfig): StripeIssuing {
  const { timeoutMs = 20_000, clock } = config;
  const { issuing } = stripeSdk({ ...config, timeoutMs });
  const { line1, line2, city, state, postalCode, country } = config.billingAddress;
  return {
    billingAddress: {
      line1,
      city,
      country,
      postal_code: postalCode,
      ...(line2 !== undefined && { line2 }),
      ...(state !== undefined && { state }),
    },
    ask: async (name, answer, call) => {
      const given = await call(issuing).catch((error: unknown) => {
        throw stripeError(name, error, clock);
      });
      return readable(name, answer, given);
    },
  };
}
