import {
  CountryCode,
  type Institution,
  type JWKPublicKey,
  type LinkTokenGetSessionsResponse,
  Products,
} from "plaid";
import type { FakeItem } from "./items.ts";

export interface FakeLink {
  token: string;
  webhook: string | null;
  /** The item to renew; null for a new one. */
  renews: FakeItem | null;
  clientUserId: string;
  sessions: LinkTokenGetSessionsResponse[];
}

export interface PlaidState {
  institutions: Institution[];
  links: Map<string, FakeLink>;
  publicTokens: Map<string, FakeItem>;
  /** By access token. */
  items: Map<string, FakeItem>;
  keys: Map<string, JWKPublicKey>;
  /** Limits the number of changes per page, in addition to the `count` of the request. */
  pageSize: number;
  nextId: () => string;
}

export function emptyState(): PlaidState {
  let last = 0;
  return {
    institutions: [
      institution("ins_1", "Thames Bank", CountryCode.Gb),
      institution("ins_2", "Severn Bank", CountryCode.Ie, CountryCode.Gb),
      institution("ins_3", "Hudson Bank", CountryCode.Us),
    ],
    links: new Map(),
    publicTokens: new Map(),
    items: new Map(),
    keys: new Map(),
    pageSize: 500,
    nextId: () => `id${String((last += 1)).padStart(6, "0")}`,
  };
}

function institution(institution_id: string, name: string, ...country_codes: CountryCode[]): Institution {
  const products = [Products.Transactions];
  return { institution_id, name, products, country_codes, routing_numbers: [], oauth: true };
}
