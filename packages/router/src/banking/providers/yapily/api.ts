/**
 * Yapily's API as far as the adapter uses it, in the shape that openapi-typescript gives it and openapi-fetch reads.
 * Written by hand after version 12.13 of Yapily's public description: only the paths, parameters and fields in use.
 * As there, hardly anything is promised to be present.
 */

type Answer<Status extends number, Body> = {
  [Code in Status]: { content: { "application/json": Body } };
} & { default: { content: { "application/json": Schemas["ApiResponseError"] } } };

interface UnderConsent {
  /** The consent's token. */
  consent: string;
}

export interface paths {
  "/institutions": {
    get: { responses: Answer<200, { data?: Schemas["Institution"][] }> };
  };
  "/account-auth-requests": {
    post: {
      requestBody: { content: { "application/json": Schemas["AccountAuthorisationRequest"] } };
      responses: Answer<201, { data?: Schemas["AccountAuthorisationResponse"] }>;
    };
    patch: {
      parameters: { header: UnderConsent };
      responses: Answer<201, { data?: Schemas["AccountAuthorisationResponse"] }>;
    };
  };
  "/consent-one-time-token": {
    post: {
      requestBody: { content: { "application/json": { oneTimeToken: string } } };
      /** The consent itself, not wrapped in `data` as everywhere else. */
      responses: Answer<201, Schemas["Consent"]>;
    };
  };
  "/consents/{consentId}": {
    get: {
      parameters: { path: { consentId: string } };
      responses: Answer<200, { data?: Schemas["Consent"] }>;
    };
    delete: {
      parameters: { path: { consentId: string }; query?: { forceDelete?: boolean } };
      responses: Answer<200, { data?: { id?: string; deleteStatus?: "SUCCESS" | "FAILED" } }>;
    };
  };
  "/accounts": {
    get: {
      parameters: { header: UnderConsent };
      responses: Answer<200, { data?: Schemas["Account"][] }>;
    };
  };
  "/accounts/{accountId}/balances": {
    get: {
      parameters: { header: UnderConsent; path: { accountId: string } };
      responses: Answer<200, { data?: Schemas["Balances"] }>;
    };
  };
  "/accounts/{accountId}/transactions": {
    get: {
      parameters: {
        header: UnderConsent;
        path: { accountId: string };
        query?: {
          /** On or after this instant. */
          from?: string;
          /** From 1 to 1000. */
          limit?: number;
          /** By date, ascending or (the default) descending. */
          sort?: "date" | "-date";
          offset?: number;
        };
      };
      responses: Answer<
        200,
        { data?: Schemas["Transaction"][]; meta?: { pagination?: { totalCount?: number } } }
      >;
    };
  };
}

export interface Schemas {
  ApiResponseError: {
    error?: {
      code?: number;
      status?: string;
      message?: string;
      source?: string;
      tracingId?: string;
      institutionError?: { errorMessage?: string; httpStatusCode?: number };
    };
  };
  Institution: {
    id?: string;
    name?: string;
    fullName?: string;
    countries?: { countryCode2?: string }[];
    media?: { source?: string; type?: string }[];
    features?: Schemas["Feature"][];
  };
  /** Those that have to do with reading accounts; there are many more. */
  Feature:
    | "INITIATE_ACCOUNT_REQUEST"
    | "ACCOUNTS"
    | "ACCOUNT"
    | "ACCOUNTS_WITHOUT_BALANCE"
    | "ACCOUNT_WITHOUT_BALANCE"
    | "ACCOUNT_BALANCES"
    | "ACCOUNT_TRANSACTIONS"
    | "ACCOUNT_TRANSACTIONS_WITH_MERCHANT"
    | "IDENTITY";
  AccountAuthorisationRequest: {
    applicationUserId?: string;
    institutionId: string;
    callback?: string;
    oneTimeToken?: boolean;
    accountRequest?: { featureScope?: Schemas["Feature"][]; expiresAt?: string };
  };
  AccountAuthorisationResponse: {
    id?: string;
    applicationUserId?: string;
    institutionId?: string;
    status?: Schemas["AuthorisationStatus"];
    authorisationUrl?: string;
  };
  AuthorisationStatus:
    | "AWAITING_AUTHORIZATION"
    | "AWAITING_FURTHER_AUTHORIZATION"
    | "AWAITING_RE_AUTHORIZATION"
    | "AUTHORIZED"
    | "CONSUMED"
    | "REJECTED"
    | "REVOKED"
    | "FAILED"
    | "EXPIRED"
    | "UNKNOWN"
    | "INVALID"
    | "AWAITING_DECOUPLED_PRE_AUTHORIZATION"
    | "AWAITING_PRE_AUTHORIZATION"
    | "PRE_AUTHORIZED"
    | "AWAITING_DECOUPLED_AUTHORIZATION"
    | "AWAITING_SCA_METHOD"
    | "AWAITING_SCA_CODE";
  Consent: {
    id?: string;
    applicationUserId?: string;
    institutionId?: string;
    status?: Schemas["AuthorisationStatus"];
    expiresAt?: string;
    reconfirmBy?: string;
    featureScope?: Schemas["Feature"][];
    consentToken?: string;
    isDeletedByInstitution?: boolean;
  };
  Account: {
    id?: string;
    type?: string;
    description?: string;
    balance?: number;
    currency?: string;
    accountType?: Schemas["AccountType"];
    nickname?: string;
    accountNames?: { name?: string }[];
    accountIdentifications?: { type: Schemas["AccountIdentificationType"]; identification: string }[];
    accountBalances?: Schemas["AccountBalance"][];
  };
  AccountType:
    | "CASH_TRADING"
    | "CASH_INCOME"
    | "CASH_PAYMENT"
    | "CHARGE_CARD"
    | "CHARGES"
    | "COMMISSION"
    | "CREDIT_CARD"
    | "CURRENT"
    | "E_MONEY"
    | "LIMITED_LIQUIDITY_SAVINGS_ACCOUNT"
    | "LOAN"
    | "MARGINAL_LENDING"
    | "MONEY_MARKET"
    | "MORTGAGE"
    | "NON_RESIDENT_EXTERNAL"
    | "OTHER"
    | "OVERDRAFT"
    | "OVERNIGHT_DEPOSIT"
    | "PREPAID_CARD"
    | "SALARY"
    | "SAVINGS"
    | "SETTLEMENT"
    | "TAX"
    | "UNKNOWN";
  /** Those in use, and those that must not be taken for an account's number. */
  AccountIdentificationType: "SORT_CODE" | "ACCOUNT_NUMBER" | "IBAN" | "BBAN" | "BIC" | "PAN" | "MASKED_PAN";
  AccountBalance: {
    type?: Schemas["AccountBalanceType"];
    balanceAmount?: Schemas["Amount"];
    creditLineIncluded?: boolean;
  };
  AccountBalanceType:
    | "CLOSING_AVAILABLE"
    | "CLOSING_BOOKED"
    | "CLOSING_CLEARED"
    | "EXPECTED"
    | "FORWARD_AVAILABLE"
    | "INFORMATION"
    | "INTERIM_AVAILABLE"
    | "INTERIM_BOOKED"
    | "INTERIM_CLEARED"
    | "OPENING_AVAILABLE"
    | "OPENING_BOOKED"
    | "OPENING_CLEARED"
    | "PREVIOUSLY_CLOSED_BOOKED"
    | "AUTHORISED"
    | "OTHER"
    | "UNKNOWN";
  Amount: { amount: number; currency: string };
  Balances: { mainBalanceAmount?: Schemas["Amount"]; balances?: Schemas["AccountBalance"][] };
  Transaction: {
    id?: string;
    date?: string;
    bookingDateTime?: string;
    valueDateTime?: string;
    status?: "BOOKED" | "PENDING";
    amount?: number;
    currency?: string;
    transactionAmount?: Schemas["Amount"];
    reference?: string;
    description?: string;
    transactionInformation?: string[];
    merchant?: { merchantName?: string };
    enrichment?: {
      categorisation?: { categories?: string[] };
      transactionHash?: { hash?: string };
    };
  };
}
