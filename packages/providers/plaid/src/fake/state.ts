import type { FakeItem } from "./items.ts";

export interface FakeLink {
  token: string;
  webhook: string | null;
  /** The item to renew; null for a new one. */
  renews: FakeItem | null;
  clientUserId: string;
  sessions: object[];
}

export interface PlaidState {
  institutions: { institution_id: string; name: string; country_codes: string[]; products: string[] }[];
  links: Map<string, FakeLink>;
  publicTokens: Map<string, FakeItem>;
  /** By access token. */
  items: Map<string, FakeItem>;
  keys: Map<string, object>;
  /** Limits the number of changes per page, in addition to the `count` of the request. */
  pageSize: number;
  nextId: () => string;
}

export function emptyState(): PlaidState {
  let last = 0;
  return {
    institutions: [
      { institution_id: "ins_1", name: "Thames Bank", country_codes: ["GB"], products: ["transactions"] },
      {
        institution_id: "ins_2",
        name: "Severn Bank",
        country_codes: ["IE", "GB"],
        products: ["transactions"],
      },
      { institution_id: "ins_3", name: "Hudson Bank", country_codes: ["US"], products: ["transactions"] },
    ],
    links: new Map(),
    publicTokens: new Map(),
    items: new Map(),
    keys: new Map(),
    pageSize: 500,
    nextId: () => `id${String((last += 1)).padStart(6, "0")}`,
  };
}
