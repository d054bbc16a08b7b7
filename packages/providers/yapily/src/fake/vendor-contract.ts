import { vendorContract } from "@purser/vendor-contract";
import type { paths } from "../api.generated.ts";
import type { Schemas } from "../api.ts";

// Yapily publishes no package with current types. `api.json` describes the part in use after its OpenAPI description.
type Json<Part> = Part extends { content: { "application/json": infer Body } } ? Body : never;
type Success<Operation> = Operation extends { responses: infer Responses }
  ? Json<Responses[keyof Responses & (200 | 201)]>
  : never;
type Sent<Operation> = Operation extends { requestBody: infer Body } ? Json<Body> : never;
type Asked<Operation> = Operation extends { parameters: { query?: infer Query } }
  ? NonNullable<Query>
  : never;

// The generated types have no names, which facts need.
interface YapilyConsent extends Omit<Schemas["Consent"], "expiresAt" | "reconfirmBy"> {
  expiresAt?: string;
  reconfirmBy?: string;
}
interface YapilyTransaction extends Omit<Schemas["Transaction"], "bookingDateTime" | "date"> {
  date?: string;
  bookingDateTime?: string;
}
interface TransactionsQuery extends Omit<
  Asked<paths["/accounts/{accountId}/transactions"]["get"]>,
  "from" | "limit"
> {
  from?: string;
  limit?: number;
}

/** Beside the data, every response has this. The adapter reads only the number of rows. */
interface Meta {
  tracingId?: string;
  count?: number;
  pagination?: {
    totalCount?: number;
    self?: { limit?: number; offset?: number; sort?: "date" | "-date" };
  };
}
interface WithMeta<Data> {
  meta?: Meta;
  data?: Data;
}
type DataOf<Operation> = Success<Operation> extends { data?: infer Data } ? Data : never;
/** A new consent is a consent with the page of the bank. */
type NewConsent = YapilyConsent & Pick<Schemas["AccountAuthorisationResponse"], "authorisationUrl">;

/** The operations in use, as `api.json` describes them. */
export interface YapilyOperations {
  "GET /institutions": { response: WithMeta<DataOf<paths["/institutions"]["get"]>> };
  "POST /account-auth-requests": {
    request: Sent<paths["/account-auth-requests"]["post"]>;
    response: WithMeta<NewConsent>;
  };
  "PATCH /account-auth-requests": { response: WithMeta<NewConsent> };
  "POST /consent-one-time-token": {
    request: Sent<paths["/consent-one-time-token"]["post"]>;
    response: YapilyConsent;
  };
  "GET /consents/{consentId}": { response: WithMeta<YapilyConsent> };
  "DELETE /consents/{consentId}": {
    query: Asked<paths["/consents/{consentId}"]["delete"]>;
    response: WithMeta<DataOf<paths["/consents/{consentId}"]["delete"]>>;
  };
  "POST /consents/{consentId}/extend": {
    request: Sent<paths["/consents/{consentId}/extend"]["post"]>;
    response: WithMeta<YapilyConsent>;
  };
  "GET /accounts": { response: WithMeta<DataOf<paths["/accounts"]["get"]>> };
  "GET /accounts/{accountId}/balances": {
    response: WithMeta<DataOf<paths["/accounts/{accountId}/balances"]["get"]>>;
  };
  "GET /accounts/{accountId}/transactions": {
    query: TransactionsQuery;
    response: WithMeta<YapilyTransaction[]>;
  };
}

export const yapilyContract = vendorContract<never>("yapily");
