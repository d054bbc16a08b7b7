export { rehashAccounts } from "./accounts/service.ts";
export { hasActiveConnection } from "./connections/store.ts";
export type { Revocation } from "./connections/service/revoke.ts";
export { completeLink } from "./link/service.ts";
export { type BankProvider, BankError, type Banks } from "./ports.ts";
export { bankReceivers, openBanks } from "./service/banks.ts";
export { bankingJobs, tidyBanking } from "./service/jobs.ts";
export { sandboxConsentPage, sandboxControls } from "./service/sandbox.ts";
export { listQuarantine } from "./syncs/store/quarantine.ts";
