import { type Access, type AccountData, BankError } from "@purser/banking/ports";
import type { Schemas } from "./api.ts";
import type { YapilyClient } from "./client.ts";
import { readYapilyConsent } from "./consents.ts";
import { type ErrorKinds, YapilyError, unreadableError } from "./errors.ts";
import { mapYapilyAccount, hasBalance } from "./mapping.ts";

/**
 * What a refusal means where a consent's token was shown. Yapily may still call a consent AUTHORIZED that the bank
 * has ended: this is where it comes out.
 */
const dataRefusals: ErrorKinds = {
  401: "reauthorization_required",
  403: "reauthorization_required",
  404: "reauthorization_required",
};

/** See {@link BankProvider.accounts}. */
export async function readYapilyAccounts(yapily: YapilyClient, access: Access): Promise<AccountData[]> {
  const accounts = await callWithConsent(yapily, access, (consent, refusals) =>
    yapily.call(
      "GET /accounts",
      (api, signal) => api.GET("/accounts", { params: { header: { consent } }, signal }),
      { refusals },
    ),
  );
  if (!Array.isArray(accounts.data)) throw unreadableError("GET /accounts", "no list");
  const facts: AccountData[] = [];
  // One after the other: a bank counts what is asked of it at once.
  for (const account of accounts.data) {
    facts.push(mapYapilyAccount(hasBalance(account) ? account : await withBalances(yapily, access, account)));
  }
  return facts;
}

async function withBalances(
  yapily: YapilyClient,
  access: Access,
  account: Schemas["Account"],
): Promise<Schemas["Account"]> {
  const path = { accountId: account.id ?? "" };
  const { data } = await callWithConsent(yapily, access, (consent, refusals) =>
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
export async function callWithConsent<T>(
  yapily: YapilyClient,
  access: Access,
  read: (consent: string, refusals: ErrorKinds) => Promise<T>,
): Promise<T> {
  const { token } = access;
  if (!token) throw new BankError("reauthorization_required", "Yapily: there is no token of the consent");
  try {
    return await read(token, dataRefusals);
  } catch (error) {
    // A 401 is also what the application's own credentials get once they are wrong. Then this fails, too, as an
    // outage, and nobody is sent to their bank for nothing.
    if (error instanceof YapilyError && error.status === 401) await readYapilyConsent(yapily, access);
    throw error;
  }
}
