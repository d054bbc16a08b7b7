export {
  CardDecision,
  CardTransaction,
  Channel,
  ExplainCardTransaction,
  ListCardTransactions,
  RecordedCardDecision,
} from "./contract.ts";
export { explainCardTransaction, listCardTransactions } from "./service.ts";
