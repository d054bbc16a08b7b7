export { demoPassword, demoPeople, seedDemo, ensureDemo } from "./demo/index.ts";
export { registeredJobs } from "./jobs.ts";
export { registeredMetrics } from "./metrics.ts";
export { bankLoaders } from "./providers.ts";
export { openService, type Service } from "./service.ts";
