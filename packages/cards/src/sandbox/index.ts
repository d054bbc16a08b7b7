export { Authorize, Clear, Expire, Increment, Refund, Reverse } from "./controls/contract.ts";
export { authorize, clear, expire, increment, refund, reverse } from "./controls/service.ts";
export { sandboxIssuer } from "./issuer.ts";
