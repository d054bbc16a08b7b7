import { afterAll, beforeAll } from "vitest";
import { describeStripeErrors } from "../testing/errors.ts";
import { testClock } from "@purser/core/testing";
import { IssuerError } from "@purser/cards/ports";
import { cardRequest, issuerBeforeFake } from "./fake/issuer.ts";

let stripe: Awaited<ReturnType<typeof issuerBeforeFake>>;
beforeAll(async () => {
  stripe = await issuerBeforeFake(testClock());
  await stripe.issuer.createCard(cardRequest());
});
afterAll(async () => stripe.fake.stop());

let version = 0;

describeStripeErrors({
  server: () => stripe.fake,
  call: "POST /v1/issuing/cards/ic_1",
  name: "cards.update",
  // Each time another change, so that it is no repeat of one that was answered.
  attempt: (config) =>
    stripe.issuerWith(config).setStatus("ic_1", "PAUSED", { cardId: "card_1", version: (version += 1) }),
  Failure: IssuerError,
  notFound: "card_not_found",
});
