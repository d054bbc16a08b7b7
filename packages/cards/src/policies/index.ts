export * from "./backtest-contract.ts";
export * from "./contract.ts";
export * from "./service/backtest.ts";
export * from "./service/check.ts";
export * from "./service/manage.ts";
export { findPolicy } from "./store/policies.ts";
