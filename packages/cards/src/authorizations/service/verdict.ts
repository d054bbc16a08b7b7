import { Problem } from "@purser/core";
import type { Verdict } from "../../ports.ts";
import type { Decision } from "../rules/decide.ts";
import type { TransactionRow } from "../store/decide.ts";
import type { StoredMessage } from "../store/settle.ts";

/** What became of an authorization or an increment: what the network is told, and the transaction. */
export interface DecisionResult {
  verdict: Verdict;
  transaction: TransactionRow;
}

/** What the network is told of a decision. */
export function decided(transaction: TransactionRow, { outcome, reason }: Decision): DecisionResult {
  return { verdict: { approved: outcome === "approved", reason }, transaction };
}

/** What the network was told of a message before, and is told again. */
export function repeated({ event, transaction, withdrawn }: StoredMessage): DecisionResult {
  if (withdrawn) return { verdict: { approved: false, reason: "decision_timed_out" }, transaction };
  // The name of something that was not asked but told.
  if (event.decision === null) throw new Problem("TRANSACTION_FINAL");
  return decided(transaction, event.decision as unknown as Decision);
}
