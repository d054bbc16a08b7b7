import { Id, Instant } from "@purser/core";
import { z } from "zod";

const TheSubscription = z.strictObject({ subscriptionId: Id });

export const Advance = TheSubscription.extend({
  /** Not before the subscription's present time, and within five years. */
  to: Instant,
});

export const ReplaceCard = TheSubscription.extend({
  /** How the new card behaves. */
  card: z.enum(["succeeds", "fails"]),
});
