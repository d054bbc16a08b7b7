export {
  BankConnection,
  Connect,
  DisconnectedBankConnection,
  ListConnections,
  SyncedBankConnection,
  TheConnection,
  UpdateConsent,
  UpdatedConsent,
} from "./contract.ts";
export { connect } from "./service/connect.ts";
export { disconnect } from "./service/disconnect.ts";
export { listConnections } from "./service/list.ts";
export { syncNow } from "./service/sync.ts";
export { updateConsent } from "./service/update-consent.ts";
export { hasAnyConnection } from "./store.ts";
