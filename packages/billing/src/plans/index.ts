export { BillingPlan, ListPlans } from "./contract.ts";
export { listPlans } from "./service.ts";
