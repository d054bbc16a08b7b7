/** Everything that can go wrong on command. */
export type FaultName =
  // The bank does not answer, says that it was asked too often, or takes its time: every call.
  | "outage"
  | "rate_limited"
  | "slow"
  // The accounts cannot be read, while transactions can.
  | "accounts_outage"
  // The feed: the history is not there yet, the cursor is forgotten, or the data changes between two pages.
  | "not_ready"
  | "cursor_lost"
  | "mutation_during_pagination"
  // What is told is wrong: no ids, items that come twice in a page, an id that another transaction has already.
  | "blank_ids"
  | "repeated_ids"
  | "reused_ids";
