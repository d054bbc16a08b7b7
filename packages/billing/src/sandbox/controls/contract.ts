import { Id, Instant, explained } from "@purser/core";
import { z } from "zod";
import { subscriptionFields } from "../../subscriptions/contract.ts";

const TheSubscription = z.strictObject({
  subscriptionId: Id.meta({
    ...subscriptionFields.id,
    description: "A subscription with the provider `local`.",
  }),
});

export const Advance = TheSubscription.extend({
  to: Instant.meta(
    explained(
      "The subscription's new present time: not before its present time, and within five years.",
      new Date("2026-05-01T00:00:00.000Z"),
    ),
  ),
});

export const ReplaceCard = TheSubscription.extend({
  card: z
    .enum(["succeeds", "fails"])
    .meta(explained("Whether payments with the new card succeed: `succeeds` or `fails`.", "succeeds")),
});
