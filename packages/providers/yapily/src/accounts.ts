import {
  type Access,
  type AccountData,
  BankError,
  type ReportUnreadable,
  mapReadable,
} from "@purser/banking/ports";
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

/**
 * Implements {@link BankProvider.accounts}. An account without a balance is reported. If the bank fails to give the balance of
 * each account, the failure is of the bank, and this throws it.
 */
export async function readYapilyAccounts(
  yapily: YapilyClient,
  access: Access,
  report?: ReportUnreadable,
): Promise<AccountData[]> {
  const data: AccountData[] = [];
  const keyOf = ({ id }: Schemas["Account"]) =>
    ({ kind: "account", accountId: id ?? null, externalId: null }) as const;
  const { withheldScopes } = access;
  const isComplete = (account: Schemas["Account"]) => withheldScopes?.has("balances") || hasBalance(account);
  const map = (account: Schemas["Account"]) => mapYapilyAccount(account, withheldScopes);
  let failure: YapilyError | undefined;
  const noteFailure = (error: YapilyError) => (failure = error);
  // Not concurrently: banks limit concurrent requests.
  for (const account of await listYapilyAccounts(yapily, access)) {
    const whole = isComplete(account) ? account : await withBalances(yapily, access, account, noteFailure);
    data.push(...mapReadable([whole], map, keyOf, report));
  }
  if (data.length === 0 && failure !== undefined) throw failure;
  return data;
}

/**
 * Lists the accounts as Yapily shows them. Throws `reauthorization_required` if the consent is no longer valid, whatever
 * single accounts lack.
 */
export async function listYapilyAccounts(
  yapily: YapilyClient,
  access: Access,
): Promise<Schemas["Account"][]> {
  const name = "GET /accounts";
  const { data } = await callWithConsent(yapily, access, (header, errorKinds) =>
    yapily.call(name, (api, signal) => api.GET("/accounts", { params: { header }, signal }), { errorKinds }),
  );
  if (!Array.isArray(data)) throw unreadableError(name, "no array");
  return data;
}

/** Reads the balances of an account; none if the bank refuses or fails to give them. A failure may pass, and is noted. */
async function withBalances(
  yapily: YapilyClient,
  access: Access,
  account: Schemas["Account"],
  noteFailure: (error: YapilyError) => void,
): Promise<Schemas["Account"]> {
  const path = { accountId: account.id ?? "" };
  const { data } = await callWithConsent(yapily, access, (header, errorKinds) =>
    yapily
      .call(
        "GET /accounts/{id}/balances",
        (api, signal) => api.GET("/accounts/{accountId}/balances", { params: { path, header }, signal }),
        { errorKinds },
      )
      .catch((error: unknown) => {
        if (!(error instanceof YapilyError) || concernsConsent(error)) throw error;
        if (!isRefused(error)) noteFailure(error);
        return { data: undefined };
      }),
  );
  const main = data?.mainBalanceAmount;
  const currency = account.currency ?? main?.currency;
  return {
    ...account,
    // An account in several currencies may have its main balance in another one than this.
    ...(main && main.currency === currency && { balance: main.amount, currency }),
    accountBalances: data?.balances ?? [],
  };
}

/** Whether an error of one account is of the whole consent: its token, or the rate of its requests. */
const concernsConsent = ({ status }: YapilyError): boolean => status === 401 || status === 429;

/** Whether this is an answer of the bank, or of Yapily for it, and not their failure to answer. */
const isRefused = ({ status }: YapilyError): boolean => (status < 500 && status !== 424) || status === 501;

/** Whether the bank refuses or does not find an account. That says nothing about the consent if it still lists its accounts. */
export const refusesAccount = ({ status }: YapilyError): boolean => status === 403 || status === 404;

/** The headers of a request that reads the bank. */
interface ConsentHeader {
  consent: string;
  /** Says that the person is present. See https://docs.yapily.com/open-banking-flow/user-authorisation/psu-identifiers. */
  "psu-ip-address"?: string;
}

/**
 * Makes requests with the consent's token. Throws `reauthorization_required` if the consent is no longer valid.
 */
export async function callWithConsent<T>(
  yapily: YapilyClient,
  access: Access,
  send: (header: ConsentHeader, errorKinds: ErrorKinds) => Promise<T>,
): Promise<T> {
  const { token, personAddress } = access;
  if (!token) throw new BankError("reauthorization_required", "Yapily: the consent has no token");
  try {
    const person = personAddress === undefined ? {} : { "psu-ip-address": personAddress };
    return await send({ consent: token, ...person }, consentErrorKinds);
  } catch (error) {
    // Wrong credentials of the application also cause a 401. Then this request fails too, as an outage, and the person is
    // not sent to the bank for nothing.
    if (error instanceof YapilyError && error.status === 401) await readYapilyConsent(yapily, access);
    throw error;
  }
}
