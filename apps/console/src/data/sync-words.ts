import type { BankSyncErrorCode } from "@purser/client";

/** Whether the schedule retries a sync that failed so. Otherwise it waits for a person. */
export const isRetried = (error: BankSyncErrorCode | null): boolean =>
  error !== "CONSENT_EXPIRED" && error !== "REAUTHORIZATION_REQUIRED" && error !== "CONNECTION_DISCONNECTED";

/** What follows a sync that failed. */
export const afterFailure = (error: BankSyncErrorCode | null): string =>
  isRetried(error)
    ? "Purser tries again by itself"
    : error === "CONNECTION_DISCONNECTED"
      ? "The bank is disconnected"
      : "Nothing is read until someone reconnects the bank";
