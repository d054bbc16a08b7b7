export * from "./backtest-contract.ts";
export * from "./backtest.ts";
export * from "./check.ts";
export * from "./contract.ts";
export * from "./service.ts";
export { findPolicy } from "./store/policies.ts";
