import { type Access, type AccountData, BankError } from "@purser/banking/ports";
import type { Schemas } from "./api.ts";
import type { YapilyClient } from "./client.ts";
import { readYapilyConsent } from "./consents.ts";
import { type ErrorKinds, YapilyError, unreadableError } from "./errors.ts";
import { hasBalance, mapYapilyAccount } from "./mapping.ts";

/**
 * The error kinds of requests with a consent token. Yapily can report a consent as AUTHORIZED after the bank has ended it;
 * only reading data reveals that.
 */
const consentErrorKinds: ErrorKinds = {
  401: "reauthorization_required",
  403: "reauthorization_required",
  404: "reauthorization_required",
};

/** Implements {@link BankProvider.accounts}. */
export async function readYapilyAccounts(yapily: YapilyClient, access: Access): Promise<AccountData[]> {
  const accounts = await callWithConsent(yapily, access, (consent, errorKinds) =>
    yapily.call(
      "GET /accounts",
      (api, signal) => api.GET("/accounts", { params: { header: { consent } }, signal }),
      { errorKinds },
    ),
  );
  if (!Array.isArray(accounts.data)) throw unreadableError("GET /accounts", "no array");
  const data: AccountData[] = [];
  // Not concurrently: banks limit concurrent requests.
  for (const account of accounts.data) {
    data.push(mapYapilyAccount(hasBalance(account) ? account : await withBalances(yapily, access, account)));
  }
  return data;
}

async function withBalances(
  yapily: YapilyClient,
  access: Access,
  account: Schemas["Account"],
): Promise<Schemas["Account"]> {
  const path = { accountId: account.id ?? "" };
  const { data } = await callWithConsent(yapily, access, (consent, errorKinds) =>
    yapily.call(
      "GET /accounts/{id}/balances",
      (api, signal) =>
        api.GET("/accounts/{accountId}/balances", { params: { path, header: { consent } }, signal }),
      { errorKinds },
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
 * Makes requests with the consent's token. Throws `reauthorization_required` if the consent is no longer valid.
 */
export async function callWithConsent<T>(
  yapily: YapilyClient,
  access: Access,
  send: (consent: string, errorKinds: ErrorKinds) => Promise<T>,
): Promise<T> {
  const { token } = access;
  if (!token) throw new BankError("reauthorization_required", "Yapily: the consent has no token");
  try {
    return await send(token, consentErrorKinds);
  } catch (error) {
    // Wrong credentials of the application also cause a 401. Then this request fails too, as an outage, and the person is
    // not sent to the bank for nothing.
    if (error instanceof YapilyError && error.status === 401) await readYapilyConsent(yapily, access);
    throw error;
  }
}
