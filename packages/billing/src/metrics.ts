import { paymentProviderNames } from "@purser/core";
import { defineCounter, defineGauge, defineHistogram } from "@purser/platform";
import { countSubscriptions } from "./store.ts";

const ofEachProvider = paymentProviderNames.map((provider) => ({ provider }));

export const billingMetrics = {
  unknownStatuses: defineCounter("purser_billing_unknown_statuses_total", {
    help: "Subscriptions whose payment provider reports a status that this version does not know",
    labels: ["provider"],
    initialSeries: ofEachProvider,
  }),
  duplicates: defineCounter("purser_billing_duplicates_total", {
    help: "Subscriptions that started while their organization had another live one",
    labels: ["provider"],
    initialSeries: [...ofEachProvider, { provider: "manual" }],
  }),
  unattributed: defineCounter("purser_billing_unattributed_total", {
    help: "Paid subscriptions at a payment provider that belong to no organization",
    labels: ["provider"],
    initialSeries: ofEachProvider,
  }),
  synchronizeDuration: defineHistogram("purser_billing_synchronize_duration_seconds", {
    help: "Time to bring a subscription to the state that its payment provider has: applied, ignored or failed",
    labels: ["provider", "outcome"],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  }),
  subscriptions: defineGauge("purser_subscriptions", {
    help: "Subscriptions by payment provider and status",
    labels: ["provider", "status"],
    read: countSubscriptions,
  }),
};
