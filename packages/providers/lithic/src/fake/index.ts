export { fakeLithicPurchase } from "./network.ts";
