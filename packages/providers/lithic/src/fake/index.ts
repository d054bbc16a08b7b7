export { fakePurchase } from "./network.ts";
