import {
  type AccountsGetResponse,
  type AuthGetResponse,
  type InstitutionsGetByIdResponse,
  type InstitutionsGetResponse,
  type InstitutionsSearchResponse,
  type ItemGetResponse,
  type ItemPublicTokenExchangeResponse,
  type ItemWebhookUpdateResponse,
  type LinkTokenCreateResponse,
  type LinkTokenGetResponse,
  type WebhookVerificationKeyGetResponse,
  CountryCode,
  type Item,
  ItemUpdateTypeEnum,
  ItemWithConsentFieldsUpdateTypeEnum,
  Products,
} from "plaid";
import { type FakeAccount, type FakeItem, type With, readChanges, shownItem } from "./items.ts";
import { PlaidRefusal } from "./refusals.ts";
import type { FakeLink, PlaidState } from "./state.ts";

type Body = Record<string, unknown>;

/** The server adds the id of the request. */
type Answer<Response> = Omit<Response, "request_id">;
type WithAccounts<Response> = With<Answer<Response>, { accounts: FakeAccount[] }>;

/** The routes by path. They refuse what Plaid refuses. */
export const plaidRoutes: Readonly<Record<string, (state: PlaidState, body: Body) => object>> = {
  "/institutions/search": (
    { institutions },
    { query, country_codes: countries },
  ): Answer<InstitutionsSearchResponse> => ({
    institutions: institutions
      .filter(({ name }) => name.toLowerCase().includes(String(query).toLowerCase()))
      .filter(({ country_codes: available }) =>
        available.some((code) => (countries as string[]).includes(code)),
      )
      .slice(0, 10),
  }),
  "/institutions/get": (
    { institutions },
    { country_codes: countries, count, offset, options },
  ): Answer<InstitutionsGetResponse> => {
    if (Number(count) > 500) throw new PlaidRefusal("INVALID_FIELD", "count must be at most 500");
    const found = institutions.filter(({ country_codes: available }) =>
      available.some((code) => (countries as string[]).includes(code)),
    );
    const from = Number(offset);
    const { products: wanted } = options as { products: Products[] };
    // Plaid documents that a page may have fewer than `count`, because it leaves some out.
    const shown = found
      .slice(from, from + Number(count))
      .filter(({ products }) => wanted.every((product) => products.includes(product)));
    return { institutions: shown, total: found.length };
  },
  "/institutions/get_by_id": (
    { institutions },
    { institution_id: id },
  ): Answer<InstitutionsGetByIdResponse> => {
    const institution = institutions.find(({ institution_id: known }) => known === id);
    if (institution === undefined) throw new PlaidRefusal("INVALID_INSTITUTION");
    return { institution };
  },
  "/link/token/create": createLink,
  "/link/token/get": (state, { link_token: token }): Answer<LinkTokenGetResponse> => {
    const link = state.links.get(String(token));
    if (link === undefined) throw new PlaidRefusal("INVALID_LINK_TOKEN");
    const metadata = {
      initial_products: [],
      webhook: link.webhook,
      country_codes: [CountryCode.Gb],
      language: "en",
      redirect_uri: null,
      client_name: "A Name",
    };
    return {
      link_token: link.token,
      created_at: "2026-03-02T08:58:00Z",
      expiration: null,
      link_sessions: link.sessions,
      metadata,
    };
  },
  "/item/public_token/exchange": (
    state,
    { public_token: token },
  ): Answer<ItemPublicTokenExchangeResponse> => {
    const item = state.publicTokens.get(String(token));
    if (item === undefined) throw new PlaidRefusal("INVALID_PUBLIC_TOKEN");
    state.publicTokens.delete(String(token));
    state.items.set(item.accessToken, item);
    return { access_token: item.accessToken, item_id: item.itemId };
  },
  "/item/get": (state, body): Answer<ItemGetResponse> => {
    const update_type = ItemWithConsentFieldsUpdateTypeEnum.Background;
    const item = itemOf(state, body);
    const status =
      item.bankReadAt === null ? null : { transactions: { last_successful_update: item.bankReadAt } };
    return { item: { ...shownItem(item), update_type }, status };
  },
  "/item/remove": (state, body) => {
    state.items.delete(itemOf(state, body).accessToken);
    return {};
  },
  "/item/webhook/update": (state, body): Answer<ItemWebhookUpdateResponse> => {
    const item = itemOf(state, body);
    item.webhook = String(body["webhook"]);
    return { item: wholeItem(item) };
  },
  "/accounts/get": (state, body): WithAccounts<AccountsGetResponse> => {
    const item = healthy(itemOf(state, body));
    return { accounts: item.accounts, item: wholeItem(item) };
  },
  "/auth/get": (state, body): WithAccounts<AuthGetResponse> => {
    const item = healthy(itemOf(state, body));
    if (!item.products.includes(Products.Auth)) throw new PlaidRefusal("PRODUCTS_NOT_SUPPORTED");
    return { accounts: item.accounts, numbers: item.numbers, item: wholeItem(item) };
  },
  "/transactions/refresh": (state, body) => {
    const item = healthy(itemOf(state, body));
    item.changes.push(...item.unreadChanges.splice(0));
    return {};
  },
  "/transactions/sync": (state, body) => {
    const { cursor = "", count = 100 } = body;
    if (Number(count) > 500) throw new PlaidRefusal("INVALID_FIELD", "count must be at most 500");
    const item = healthy(itemOf(state, body));
    return readChanges(item, String(cursor), Math.min(Number(count), state.pageSize));
  },
  "/webhook_verification_key/get": ({ keys }, { key_id: kid }): Answer<WebhookVerificationKeyGetResponse> => {
    const key = keys.get(String(kid));
    if (key === undefined) throw new PlaidRefusal("INVALID_WEBHOOK_VERIFICATION_KEY_ID");
    return { key };
  },
};

function createLink(state: PlaidState, body: Body): Answer<LinkTokenCreateResponse> {
  const { user, products, access_token: accessToken, transactions, client_name: name, webhook } = body;
  const clientUserId = (user as Body | undefined)?.["client_user_id"];
  if (typeof clientUserId !== "string") throw new PlaidRefusal("INVALID_FIELD", "client_user_id is required");
  if (String(name).length > 30) throw new PlaidRefusal("INVALID_FIELD", "client_name is too long");
  const isUpdate = accessToken !== undefined;
  if (isUpdate === Array.isArray(products)) {
    throw new PlaidRefusal("INVALID_FIELD", "products must be set, except in update mode");
  }
  const days = (transactions as Body | undefined)?.["days_requested"] ?? 90;
  if (Number(days) > 730) throw new PlaidRefusal("INVALID_FIELD", "days_requested must be at most 730");
  const link: FakeLink = {
    token: `link-sandbox-${state.nextId()}`,
    webhook: typeof webhook === "string" ? webhook : null,
    renews: isUpdate ? itemOf(state, body) : null,
    clientUserId,
    sessions: [],
  };
  state.links.set(link.token, link);
  return {
    link_token: link.token,
    expiration: "2026-03-02T09:30:00Z",
    ...(body["hosted_link"] !== undefined && {
      hosted_link_url: `https://secure.plaid.com/hl/${link.token}`,
    }),
  };
}

function itemOf(state: PlaidState, { access_token: token }: Body): FakeItem {
  const item = state.items.get(String(token));
  if (item === undefined) throw new PlaidRefusal("INVALID_ACCESS_TOKEN");
  return item;
}

function wholeItem(item: FakeItem): Item {
  return { ...shownItem(item), update_type: ItemUpdateTypeEnum.Background };
}

function healthy(item: FakeItem): FakeItem {
  if (item.error !== null) throw new PlaidRefusal(item.error);
  return item;
}
