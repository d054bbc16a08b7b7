export { sandboxBank } from "./bank.ts";
export {
  AddTransaction,
  ChangeConsent,
  ChangeTransaction,
  ClearFaults,
  PostTransaction,
  RemoveTransaction,
  SandboxTransaction,
  SetFault,
} from "./controls/contract.ts";
export {
  addTransaction,
  changeConsent,
  changeTransaction,
  clearFaults,
  postTransaction,
  removeTransaction,
  setFault,
} from "./controls/service.ts";
export { externalIdsOf } from "./external-ids.ts";
export { approveLink, openConsentPage } from "./links.ts";
export { purgeSandboxLinks } from "./store/links.ts";
export { expireConsent, repairConsent, requireReauthorization, revokeConsent } from "./controls/bank.ts";
export { refuseLink } from "./links.ts";
