import type { Lithic } from "lithic";
import { type LithicReply, lithicToken, refused } from "./replies.ts";

type Created = Lithic.AccountHolderCreateParams.KYC | Lithic.AccountHolderCreateParams.KYCExempt;

/** An account holder with the details that were sent. */
export interface AccountHolderState {
  token: string;
  account_token: string;
  sent: Record<string, unknown>;
  status: Lithic.AccountHolderCreateResponse["status"];
}

export interface AccountHolderStates {
  accountHolders: AccountHolderState[];
  /** The evaluation of the next account holders. */
  evaluation: Lithic.AccountHolderCreateResponse["status"];
}

/** Serves `/v1/account_holders`: create, list by external id, update. */
export function respondAccountHolders(state: AccountHolderStates, call: string, fields: object): LithicReply {
  if (call.startsWith("GET ")) return list(state.accountHolders, call);
  if (call === "POST /v1/account_holders") return create(state, fields as Created);
  const holder = state.accountHolders.find(({ token }) => call === `PATCH /v1/account_holders/${token}`);
  if (holder === undefined) return refused(404, "Account holder not found");
  Object.assign(holder.sent, fields);
  return { status: 200, body: { token: holder.token } };
}

function create(state: AccountHolderStates, fields: Created): LithicReply {
  const { accountHolders, evaluation: status } = state;
  const number = accountHolders.length + 2;
  const [token, account_token] = [lithicToken("a401", number), lithicToken("acc0", number)];
  accountHolders.push({ token, account_token, status, sent: { ...fields } });
  const { external_id } = fields;
  const created = "2026-03-02T09:00:00Z";
  const body = {
    token,
    account_token,
    status,
    status_reasons: [],
    created,
    ...(external_id && { external_id }),
  };
  return { status: 200, body };
}

function list(accountHolders: AccountHolderState[], call: string): LithicReply {
  const wanted = new URL(call.slice("GET ".length), "http://lithic").searchParams.get("external_id");
  const data = accountHolders
    .filter(({ sent }) => sent["external_id"] === wanted)
    .map(({ token, account_token, status }): Lithic.AccountHolder => ({
      token,
      // "If [...] the account holder is successfully verified or requires further verification, an associated account_token
      // will be returned" (https://docs.lithic.com/docs/account-holders-kyc).
      ...(status !== "REJECTED" && { account_token }),
      created: "2026-03-02T09:00:00Z",
      verification_application: { status },
    }));
  return { status: 200, body: { data, has_more: false } };
}
