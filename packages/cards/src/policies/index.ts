export { backtestPolicy } from "./backtest.ts";
export { checkPolicy } from "./check.ts";
export {
  Backtest,
  BacktestPolicy,
  CardPolicy,
  CardPolicyListItem,
  CheckPolicy,
  CreatePolicy,
  ListPolicies,
  UpdatePolicy,
} from "./contract.ts";
export { createPolicy, listPolicies, updatePolicy } from "./service.ts";
