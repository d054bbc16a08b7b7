export { type BankingPlatform } from "./context.ts";
export { type BankAccountHooks, bankingHooks } from "./hooks.ts";
export { bankingJobs } from "./job-definitions.ts";
export { bankingHandlers, bankingSweeps, bankingTasks } from "./jobs.ts";
export { bankingMetrics } from "./metrics.ts";
export { bankReceivers } from "./webhooks.ts";
export { countBankHashes, rehashAccounts } from "./accounts/service/rehash.ts";
export { listQuarantine } from "./syncs/store/quarantine.ts";
