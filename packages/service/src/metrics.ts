import { bankingMetrics } from "@purser/banking";
import { billingMetrics } from "@purser/billing";
import { cardMetrics } from "@purser/cards";
import { feedMetrics } from "@purser/events";
import { webhookMetrics } from "@purser/events/sending";
import { type MetricDefinition, platformMetrics } from "@purser/platform";

/** All metrics of the service. */
export const registeredMetrics: readonly MetricDefinition[] = [
  platformMetrics,
  bankingMetrics,
  cardMetrics,
  billingMetrics,
  feedMetrics,
  webhookMetrics,
].flatMap((metrics) => Object.values<MetricDefinition>(metrics));
