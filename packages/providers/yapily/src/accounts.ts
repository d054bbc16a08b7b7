import { type Access, type AccountData, BankError } from "@purser/banking/ports";
import type { Schemas } from "./api.ts";
import type { Yapily } from "./client.ts";
import { readConsent } from "./consents.ts";
import { type Refusals, YapilyError, unreadable } from "./errors.ts";
import { accountFacts, hasBalance } from "./mapping.ts";

/**
 * What a refusal means where a consent's token was shown. Yapily may still call a consent AUTHORIZED that the bank
 * has ended: this is where it comes out.
 */
const dataRefusals: Refusals = {
  401: "reauthorization_required",
  403: "reauthorization_required",
  404: "reauthorization_required",
};

/** See {@link BankProvider.accounts}. */
export async function readAccounts(yapily: Yapily, access: Access): Promise<AccountData[]> {
  const accounts = await underConsent(yapily, access, (consent, refusals) =>
    yapily.call(
      "GET /accounts",
      (api, signal) => api.GET("/accounts", { params: { header: { consent } }, signal }),
      { refusals },
    ),
  );
  if (!Array.isArray(accounts.data)) throw unreadable("GET /accounts", "no list");
  const facts: AccountData[] = [];
  // One after the other: a bank counts what is asked of it at once.
  for (const account of accounts.data) {
    facts.push(accountFacts(hasBalance(account) ? account : await withBalances(yapily, access, account)));
  }
  return facts;
}

async function withBalances(
  yapily: Yapily,
  access: Access,
  account: Schemas["Account"],
): Promise<Schemas["Account"]> {
  const path = { accountId: account.id ?? "" };
  const { data } = await underConsent(yapily, access, (consent, refusals) =>
    yapily.call(
      "GET /accounts/{id}/balances",
      (api, signal) =>
        api.GET("/accounts/{accountId}/balances", { params: { path, header: { consent } }, signal }),
      { refusals },
    ),
  );
  const main = data?.mainBalanceAmount;
  return {
    ...account,
    ...(main && { balance: main.amount, currency: account.currency ?? main.currency }),
    accountBalances: data?.balances ?? [],
  };
}

/**
 * Reads with the consent's token. Throws `reauthorization_required` where the consent opens nothing any more.
 */
export async function underConsent<T>(
  yapily: Yapily,
  access: Access,
  read: (consent: string, refusals: Refusals) => Promise<T>,
): Promise<T> {
  const { token } = access;
  if (!token) throw new BankError("reauthorization_required", "Yapily: there is no token of the consent");
  try {
    return await read(token, dataRefusals);
  } catch (error) {
    // A 401 is also what the application's own credentials get once they are wrong. Then this fails, too, as an
    // outage, and nobody is sent to their bank for nothing.
    if (error instanceof YapilyError && error.status === 401) await readConsent(yapily, access);
    throw error;
  }
}
