export { AuditEntry, ListAudit } from "./contract.ts";
export { listAudit } from "./service.ts";
