import { createHash } from "node:crypto";
import type { Transaction } from "@purser/db";
import { BankError, type TransactionData } from "../../ports.ts";
import { type Reported, cleanText, contentOf, idPrefix } from "../rules/reconcile.ts";
import { type Ledger, countDuplicates } from "../store/ledger.ts";

/** How the bank's names become ours in one synchronisation. */
export interface IdMapping {
  transaction: Transaction;
  ledger: Ledger;
  /** Our account for each of the bank's; null for one that another connection feeds by now. */
  accountOf: ReadonlyMap<string, string | null>;
  /** Whether the bank lists all that it has, and not only what changed. */
  listsAll: boolean;
  /** How many transactions of the same content were met that have no id. */
  ordinals: Map<string, number>;
}

/** Puts our account in place of the bank's, and an id in place of none. What another connection feeds is left out. */
export async function nameTransactions(naming: IdMapping, page: TransactionData[]): Promise<Reported[]> {
  const reported: Reported[] = [];
  for (const facts of page.map((one) => withCleanTexts(one))) {
    const accountId = naming.accountOf.get(facts.accountId);
    if (accountId === undefined) {
      // Nothing of it can be kept, and it must not be lost: it is read again with the next list of accounts.
      throw new BankError("outage", "The bank lists a transaction of an account that it does not list");
    }
    if (accountId === null) continue;
    const externalId = facts.externalId?.trim() || (await idByContent(naming, { ...facts, accountId }));
    const pendingExternalId = facts.pendingExternalId?.trim() || null;
    reported.push({ ...facts, accountId, externalId, pendingExternalId });
  }
  return reported;
}

/** Banks send what no database takes: U+0000 and halves of characters. */
function withCleanTexts(facts: TransactionData): TransactionData {
  const { externalId, pendingExternalId, description, category } = facts;
  return {
    ...facts,
    externalId: externalId === null ? null : cleanText(externalId),
    pendingExternalId: pendingExternalId === null ? null : cleanText(pendingExternalId),
    description: cleanText(description),
    category: category === null ? null : cleanText(category),
  };
}

/**
 * An id for a transaction that the bank gives none: its content, and a number that tells twins apart. Where the
 * bank lists only what changed, those of earlier synchronisations are counted along.
 */
async function idByContent(naming: IdMapping, facts: TransactionData): Promise<string> {
  const { transaction, ledger, ordinals, listsAll } = naming;
  const digest = createHash("sha256").update(contentOf(facts)).digest("base64url").slice(0, 22);
  const prefix = idPrefix(digest);
  let before = ordinals.get(prefix);
  before ??= listsAll ? 0 : await countDuplicates(transaction, ledger, facts.accountId, prefix);
  ordinals.set(prefix, before + 1);
  return `${prefix}${before + 1}`;
}

/**
 * Parts a page so that no id stands twice in a part, and a posted transaction stands behind the pending one that it
 * was: each part is looked up and written at once.
 */
export function splitIntoBatches(reported: Reported[]): Reported[][] {
  const rounds: Reported[][] = [];
  // In which round an id stands last: the next of its kind has to come after it.
  const last = new Map<string, number>();
  for (const one of reported) {
    const own = `${one.accountId} ${one.externalId}`;
    const pending = one.pendingExternalId === null ? own : `${one.accountId} ${one.pendingExternalId}`;
    const round = Math.max(last.get(own) ?? -1, last.get(pending) ?? -1) + 1;
    (rounds[round] ??= []).push(one);
    last.set(own, round);
    last.set(pending, round);
  }
  return rounds;
}
