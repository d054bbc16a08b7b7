import { BillingError } from "@purser/billing/ports";
import { testClock } from "@purser/core/testing";
import { afterAll, beforeAll } from "vitest";
import { type StripeBillingFake, startStripeBillingFake } from "../fake/billing/index.ts";
import { describeStripeErrors } from "../testing/errors.ts";

let stripe: StripeBillingFake;
beforeAll(async () => (stripe = await startStripeBillingFake({ clock: testClock() })));
afterAll(async () => stripe.stop());

const subscription = {
  id: "sub_1",
  customerId: "cus_1",
  returnUrl: "https://purser.example/",
  organizationSubscriptionIds: ["sub_1"],
};

describeStripeErrors({
  server: () => stripe,
  call: "POST /v1/billing_portal/sessions",
  name: "billingPortal.sessions.create",
  attempt: (config) => stripe.providerWith(config).createPortal(subscription),
  Failure: BillingError,
  notFound: "not_found",
});
