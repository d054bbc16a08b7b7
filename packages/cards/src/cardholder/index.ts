export { CardholderState, UpdateCardholder } from "./contract.ts";
export { updateCardholder } from "./service.ts";
