import { bankingMetrics } from "../banking/index.ts";
import { billingMetrics } from "../billing/index.ts";
import { cardMetrics } from "../cards/index.ts";
import type { MetricDefinition } from "../platform/metrics.ts";
import { platformMetrics } from "../platform/platform-metrics.ts";

/** All metrics of the service. */
export const registeredMetrics: readonly MetricDefinition[] = [
  platformMetrics,
  bankingMetrics,
  cardMetrics,
  billingMetrics,
].flatMap((metrics) => Object.values<MetricDefinition>(metrics));
