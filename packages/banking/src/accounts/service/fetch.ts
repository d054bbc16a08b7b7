import type { Access, AccountData, BankProvider, ReportUnreadable } from "../../ports.ts";
import { cleanAccount, cleanUnreadable } from "../../syncs/rules/cleaning.ts";

/** Reads all accounts of a consent at the bank, with texts that can be stored. */
export async function fetchAccounts(
  bank: BankProvider,
  access: Access,
  report?: ReportUnreadable,
): Promise<AccountData[]> {
  // Without `report`, an item that cannot be read fails the call.
  const accounts = await bank.accounts(access, report && ((item) => report(cleanUnreadable(item))));
  return accounts.map(cleanAccount);
}
