import { randomBytes, randomUUID } from "node:crypto";
import { dayMs } from "@purser/core";
import type { Schemas } from "../api.ts";
import type { Consent } from "../consents.ts";
import { exampleInstitution } from "./data.ts";
import { refuse, success } from "./responses.ts";
import { type FakeRequest, type FakeResponse, type Silence, startServer } from "./server.ts";
import { yapilyContract } from "./vendor-contract.ts";

export { exampleAccount, exampleInstitution, exampleTransaction } from "./data.ts";

export const credentials = {
  applicationId: "3f1c6a52-9d0e-4b7f-8f63-1f6f0f9a7c11",
  applicationSecret: "d27a3c1e-55b4-4a2b-9c86-0a4e9b6d3f70",
};

/** A consent with its internal state. */
export interface FakeConsent extends Consent {
  id: string;
  callback?: string;
  oneTimeToken?: boolean;
  /** The bank has ended it, and Yapily does not know. */
  isRevokedAtBank?: boolean;
  /** The time since which the bank lists it. Earlier ones, and this one itself, are 403, as five minutes after the sign-in. */
  historyFrom?: string;
  /** The bank cannot renew it. */
  isUnrenewable?: boolean;
}

/** Consents in the United Kingdom are confirmed every 90 days. */
const confirmationMs = 90 * dayMs;

/**
 * The part of Yapily's HTTP API that the adapter uses, after the public description and the documented error responses.
 * Tests read and change its state.
 */
export interface YapilyFake {
  url: string;
  institutions: Schemas["Institution"][];
  consents: Map<string, FakeConsent>;
  /** By consent token. */
  accounts: Map<string, Schemas["Account"][]>;
  /** By account id, in any order. */
  transactions: Map<string, Schemas["Transaction"][]>;
  /** By account id: the response of `/accounts/{id}/balances`. */
  balances: Map<string, Schemas["Balances"]>;
  requests: FakeRequest[];
  /** Replaces the response if it returns one. */
  intercept: (request: FakeRequest) => FakeResponse | Silence | undefined;
  /** Adds a consent: by default an authorized one with a new token. */
  addConsent(over?: Partial<FakeConsent>): FakeConsent & { consentToken: string };
  /** The person agrees at the bank. Returns the query of the return URL. */
  authorize(consentId: string): URLSearchParams;
  /** The person cancels at the bank. Returns the query of the return URL. */
  cancel(consentId: string): URLSearchParams;
  close(): Promise<void>;
}

export async function startYapilyFake(): Promise<YapilyFake> {
  const oneTimeTokens = new Map<string, string>();
  const server = await startServer((request) => {
    fake.requests.push(request);
    return fake.intercept(request) ?? checked(request, route(fake, oneTimeTokens, request));
  });
  const fake: YapilyFake = {
    ...server,
    institutions: [exampleInstitution({ id: "modelo-sandbox", name: "Modelo Sandbox" })],
    consents: new Map(),
    accounts: new Map(),
    transactions: new Map(),
    balances: new Map(),
    requests: [],
    intercept: () => undefined,
    addConsent(over = {}) {
      const consent = {
        id: randomUUID(),
        applicationUserId: "org_own",
        institutionId: "modelo-sandbox",
        status: "AUTHORIZED" as const,
        featureScope: ["ACCOUNTS", "ACCOUNT", "ACCOUNT_TRANSACTIONS"] satisfies Schemas["Feature"][],
        consentToken: newToken(),
        ...over,
      };
      fake.consents.set(consent.id, consent);
      return consent;
    },
    authorize(consentId) {
      const consent = fake.consents.get(consentId)!;
      consent.status = "AUTHORIZED";
      consent.consentToken ??= newToken();
      const query = returnOf(consent);
      if (consent.oneTimeToken === true) {
        const oneTimeToken = randomUUID();
        oneTimeTokens.set(oneTimeToken, consentId);
        query.set("one-time-token", oneTimeToken);
      } else query.set("consent", consent.consentToken);
      return query;
    },
    cancel(consentId) {
      const consent = fake.consents.get(consentId)!;
      consent.status = "REJECTED";
      const query = returnOf(consent);
      query.set("error", "access_denied");
      query.set("error-source", "user");
      query.set("error-description", "VGhlIHVzZXIgY2FuY2VsbGVk");
      return query;
    },
  };
  return fake;
}

/** Checks what the adapter sent, and what this fake answers. */
function checked(request: FakeRequest, response: FakeResponse): FakeResponse {
  const { method, path, query, body } = request;
  yapilyContract.exchange({
    call: `${method} ${path}`,
    query: Object.fromEntries(query),
    ...(body !== undefined && { request: body }),
    status: response.status,
    response: response.body,
  });
  return response;
}

/** Consent tokens are JWTs, signed with HS512. */
function newToken(): string {
  const parts = ['{"typ":"JWT","alg":"HS512"}', `{"CONSENT":"${randomUUID()}"}`, randomBytes(64)];
  return parts.map((part) => Buffer.from(part as string).toString("base64url")).join(".");
}

function returnOf({ applicationUserId = "", institutionId = "" }: FakeConsent): URLSearchParams {
  return new URLSearchParams({ "application-user-id": applicationUserId, institution: institutionId });
}

function route(fake: YapilyFake, oneTimeTokens: Map<string, string>, request: FakeRequest): FakeResponse {
  const { applicationId, applicationSecret } = credentials;
  const expected = Buffer.from(`${applicationId}:${applicationSecret}`).toString("base64");
  if (request.headers.authorization !== `Basic ${expected}`) return refuse("unauthorized");
  const { method, path } = request;
  const [, first, id = "", part] = path.split("/").map(decodeURIComponent);
  switch (`${method} ${first}`) {
    case "GET institutions":
      return success(fake.institutions);
    case "POST account-auth-requests":
      return newConsent(fake, request.body as Schemas["AccountAuthorisationRequest"]);
    case "PATCH account-auth-requests":
      return renewal(fake, request);
    case "POST consents":
      return part === "extend" ? extend(fake.consents.get(id), request) : refuse("notFound");
    case "POST consent-one-time-token":
      return exchange(fake, oneTimeTokens, request.body as { oneTimeToken: string });
    case "GET consents":
      return fake.consents.has(id) ? success(visibleConsent(fake.consents.get(id)!)) : refuse("notFound");
    case "DELETE consents":
      return fake.consents.delete(id) ? success({ id, deleteStatus: "SUCCESS" }) : refuse("notFound");
    case "GET accounts":
      return accountData(fake, request, id, part);
    default:
      return refuse("notFound");
  }
}

function newConsent(fake: YapilyFake, body: Schemas["AccountAuthorisationRequest"]): FakeResponse {
  const bank = fake.institutions.find(({ id }) => id === body.institutionId);
  const scope = body.accountRequest?.featureScope ?? [];
  const isValid = bank !== undefined && scope.every((feature) => bank.features?.includes(feature));
  if (!isValid || !body.applicationUserId || !body.callback) return refuse("badRequest");
  const consent: FakeConsent = {
    id: randomUUID(),
    applicationUserId: body.applicationUserId,
    institutionId: body.institutionId,
    status: "AWAITING_AUTHORIZATION",
    featureScope: scope,
    callback: body.callback,
    oneTimeToken: body.oneTimeToken ?? false,
  };
  fake.consents.set(consent.id, consent);
  return success(
    { ...visibleConsent(consent), authorisationUrl: `https://bank.example/auth?state=${consent.id}` },
    201,
  );
}

function renewal(fake: YapilyFake, request: FakeRequest): FakeResponse {
  const consent = byToken(fake, request);
  if (consent === undefined) return refuse("insufficientRights");
  if (consent.isUnrenewable === true) return refuse("conflict");
  consent.status = "AWAITING_RE_AUTHORIZATION";
  return success(
    { ...visibleConsent(consent), authorisationUrl: `https://bank.example/auth?state=${consent.id}` },
    201,
  );
}

/** Yapily refuses a consent that is not authorized, or that has no confirmation, with 400. */
function extend(consent: FakeConsent | undefined, { body }: FakeRequest): FakeResponse {
  if (consent === undefined) return refuse("notFound");
  if (consent.status !== "AUTHORIZED" || consent.reconfirmBy === undefined) return refuse("badRequest");
  const { lastConfirmedAt } = body as { lastConfirmedAt: string };
  consent.reconfirmBy = new Date(Date.parse(lastConfirmedAt) + confirmationMs).toISOString();
  return success(visibleConsent(consent));
}

/** The only response that is not wrapped in `data`. */
function exchange(
  fake: YapilyFake,
  tokens: Map<string, string>,
  body: { oneTimeToken: string },
): FakeResponse {
  const consent = fake.consents.get(tokens.get(body.oneTimeToken) ?? "");
  tokens.delete(body.oneTimeToken);
  return consent === undefined ? refuse("notFound") : { status: 201, body: visibleConsent(consent) };
}

function accountData(
  fake: YapilyFake,
  request: FakeRequest,
  id: string,
  part: string | undefined,
): FakeResponse {
  const consent = byToken(fake, request);
  if (consent === undefined) return refuse("insufficientRights");
  if (consent.isRevokedAtBank === true || consent.status !== "AUTHORIZED") return refuse("consentRevoked");
  const accounts = fake.accounts.get(consent.consentToken ?? "") ?? [];
  if (id === "") return success(accounts);
  if (accounts.every((account) => account.id !== id)) return refuse("notFound");
  if (part === "balances") return success(fake.balances.get(id) ?? {});
  const isTooOld =
    consent.historyFrom !== undefined && (request.query.get("from") ?? "") <= consent.historyFrom;
  return isTooOld ? refuse("insufficientRights") : page(fake, request, id);
}

function page(fake: YapilyFake, { query }: FakeRequest, accountId: string): FakeResponse {
  const limit = Number(query.get("limit") ?? 1000);
  const offset = Number(query.get("offset") ?? 0);
  if (limit < 1 || limit > 1000) return refuse("badRequest");
  const since = query.get("from") ?? "";
  const direction = query.get("sort") === "date" ? 1 : -1;
  const rows = (fake.transactions.get(accountId) ?? [])
    .filter(({ date = "" }) => date >= since)
    .toSorted((a, b) => direction * (a.date ?? "").localeCompare(b.date ?? "", "en"));
  const pageRows = rows.slice(offset, offset + limit);
  const sort = query.get("sort") ?? undefined;
  const pagination = { totalCount: rows.length, self: { limit, offset, sort } };
  return success(pageRows, 200, { count: pageRows.length, pagination });
}

function byToken(fake: YapilyFake, { headers }: FakeRequest): FakeConsent | undefined {
  return [...fake.consents.values()].find(({ consentToken }) => consentToken === headers["consent"]);
}

/** The consent as the API shows it. */
function visibleConsent(consent: FakeConsent): Consent {
  const { callback: _c, oneTimeToken: _o, isRevokedAtBank: _r, isUnrenewable: _u, ...rest } = consent;
  const { historyFrom: _h, ...visible } = rest;
  return visible;
}
