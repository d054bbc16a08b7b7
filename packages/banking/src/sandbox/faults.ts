/** The faults that a caller of the sandbox can set. */
export type FaultName =
  // Every call: the bank does not respond, limits the rate, or is slow.
  | "outage"
  | "rate_limited"
  | "slow"
  // Accounts cannot be read, but transactions can.
  | "accounts_outage"
  // The feed: the history is not ready, the cursor is lost, or the data changes between two pages.
  | "not_ready"
  | "cursor_lost"
  | "mutation_during_pagination"
  // Wrong data: no ids, duplicates in a page, an id that another transaction already has.
  | "blank_ids"
  | "repeated_ids"
  | "reused_ids";
