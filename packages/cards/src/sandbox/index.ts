export { Authorize, Clear, Expire, Increment, Refund, Reverse } from "./controls/contract.ts";
export {
  simulateAuthorization,
  simulateClearing,
  simulateExpiry,
  simulateIncrement,
  simulateRefund,
  simulateReversal,
} from "./controls/service.ts";
export { sandboxIssuer } from "./issuer.ts";
