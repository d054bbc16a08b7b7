import { IssuerError } from "@purser/cards/ports";
import { testClock } from "@purser/core/testing";
import { afterAll, beforeAll } from "vitest";
import { type StripeIssuingFake, cardRequest, startStripeIssuingFake } from "../fake/issuing/index.ts";
import { describeStripeErrors } from "../testing/errors.ts";

let stripe: StripeIssuingFake;
beforeAll(async () => {
  stripe = await startStripeIssuingFake(testClock());
  await stripe.issuer.createCard(cardRequest());
});
afterAll(async () => stripe.stop());

describeStripeErrors({
  server: () => stripe,
  call: "POST /v1/issuing/cards/ic_1",
  name: "cards.update",
  attempt: (config) =>
    stripe.issuerWith(config).setStatus("ic_1", "PAUSED", { cardId: "card_1", version: 1 }),
  Failure: IssuerError,
  notFound: "card_not_found",
});
