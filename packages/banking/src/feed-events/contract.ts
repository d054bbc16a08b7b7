import { eventContract, explained } from "@purser/core";
import { z } from "zod";
import { BankAccount } from "../accounts/contract.ts";
import { BankConnection } from "../connections/contract.ts";
import { BankSyncErrorCode } from "../contract.ts";

const count = (what: string, example: number) =>
  z.int().meta(explained(`The number of transactions, posted and pending, that ${what}.`, example));

const changes = {
  added: count("are new", 12),
  modified: count("changed", 1),
  removed: count("are no longer there", 0),
};

const bankDay = (which: string, example: string) =>
  z
    .date()
    .meta(
      explained(
        `The ${which} day that these transactions have or, if their day changed, had, at 00:00 UTC.`,
        new Date(`${example}T00:00:00.000Z`),
      ),
    );

/** The events of bank connections, accounts and transactions. */
export const bankingEventContracts = [
  eventContract("bank_connection.connected", BankConnection, "A bank was connected, or connected again."),
  eventContract(
    "bank_connection.synced",
    BankConnection.extend(changes),
    "A sync ended well. It is recorded even if nothing changed.",
  ),
  eventContract(
    "bank_connection.sync_failed",
    BankConnection.extend({
      error: BankSyncErrorCode.meta(explained("Why the sync failed.", "PROVIDER_ERROR")),
    }),
    "A sync failed. The service retries automatically, unless `error` says that a person has to act.",
  ),
  eventContract(
    "bank_connection.needs_reauthorization",
    BankConnection,
    "The connection is not read until the person renews the consent at the bank.",
  ),
  eventContract(
    "bank_connection.consent_expiring",
    BankConnection.extend({
      deadline: z
        .date()
        .meta(explained("By when the person has to act.", new Date("2026-05-31T09:15:00.000Z"))),
    }),
    "A consent ends soon, or has to be confirmed soon.",
  ),
  eventContract("bank_connection.disconnected", BankConnection, "A bank was disconnected."),
  eventContract(
    "bank_account.updated",
    BankAccount,
    "A bank account is new, its balance or details changed, its bank no longer lists it, another connection reads it, or another account was merged into it.",
  ),
  eventContract(
    "bank_transactions.changed",
    BankAccount.extend({
      ...changes,
      firstDay: bankDay("first", "2026-02-27"),
      lastDay: bankDay("last", "2026-03-02"),
    }),
    "The transactions of a bank account changed: one event for a sync, an edit, a decision or a merge, however many they are. List them with `banking.transactions.list`. Where the account was merged into another one, all of its transactions are removed, and the data are the account as it was.",
  ),
] as const;

export type BankingEvent = z.output<(typeof bankingEventContracts)[number]>;
