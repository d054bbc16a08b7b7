import { bankingGauges } from "../banking/index.ts";
import { billingGauges } from "../billing/index.ts";
import { cardGauges } from "../cards/index.ts";
import { type DatabaseGauge, platformGauges } from "../platform/gauges.ts";

/** The gauges of the platform and of every area. */
export const databaseGauges: DatabaseGauge[] = [
  ...platformGauges,
  ...bankingGauges,
  ...cardGauges,
  ...billingGauges,
];
