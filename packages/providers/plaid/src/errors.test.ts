import { BankError, type BankErrorKind } from "@purser/banking/ports";
import { testClock } from "@purser/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PlaidError, plaidError } from "./errors.ts";
import { accessTo, linkedItem, startPlaidBank } from "./fake/bank.ts";
import type { PlaidFault } from "./fake/index.ts";

let plaid: Awaited<ReturnType<typeof startPlaidBank>>;
beforeAll(async () => (plaid = await startPlaidBank(testClock())));
afterAll(async () => plaid.fake.close());

/** Returns what reading accounts rejects with. */
async function failure(fault: PlaidFault, timeoutMs?: number): Promise<unknown> {
  plaid.fake.fail("/accounts/get", fault);
  const access = accessTo(linkedItem(plaid.fake));
  return plaid
    .bankWith({ timeoutMs })
    .accounts(access)
    .then(
      () => undefined,
      (error: unknown) => error,
    );
}

describe("an error response", () => {
  it.each<[BankErrorKind, string]>([
    [
      "reauthorization_required",
      "ITEM_LOGIN_REQUIRED ITEM_LOCKED USER_SETUP_REQUIRED PASSWORD_RESET_REQUIRED",
    ],
    [
      "reauthorization_required",
      "INVALID_CREDENTIALS INSUFFICIENT_CREDENTIALS INVALID_MFA USER_INPUT_TIMEOUT",
    ],
    ["reauthorization_required", "INVALID_UPDATED_USERNAME ACCESS_NOT_GRANTED ADDITIONAL_CONSENT_REQUIRED"],
    ["reauthorization_required", "ITEM_NOT_FOUND INVALID_ACCESS_TOKEN USER_PERMISSION_REVOKED NO_ACCOUNTS"],
    ["reauthorization_required", "ITEM_CONCURRENTLY_DELETED"],
    ["consent_not_found", "INVALID_PUBLIC_TOKEN INVALID_LINK_TOKEN"],
    ["institution_not_found", "INVALID_INSTITUTION INSTITUTION_NOT_FOUND"],
    ["not_supported", "PRODUCTS_NOT_SUPPORTED PRODUCT_NOT_ENABLED PRODUCT_UNAVAILABLE NO_AUTH_ACCOUNTS"],
    ["not_supported", "INVALID_PRODUCT ITEM_NOT_SUPPORTED MFA_NOT_SUPPORTED UNAUTHORIZED_ROUTE_ACCESS"],
    ["not_supported", "INSTITUTION_NO_LONGER_SUPPORTED INSTITUTION_NOT_ENABLED_IN_ENVIRONMENT"],
    ["not_supported", "UNAUTHORIZED_INSTITUTION"],
    ["mutated", "TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION"],
    ["not_ready", "PRODUCT_NOT_READY"],
    ["rate_limited", "RATE_LIMIT TRANSACTIONS_SYNC_LIMIT"],
    ["outage", "INSTITUTION_DOWN INSTITUTION_NOT_RESPONDING INSTITUTION_NOT_AVAILABLE"],
    ["outage", "INTERNAL_SERVER_ERROR PLANNED_MAINTENANCE INVALID_API_KEYS INVALID_FIELD A_NEW_CODE"],
  ])("is %s for %s", async (kind, codes) => {
    for (const code of codes.split(" ")) {
      const error = await failure({ code });
      expect(error, code).toBeInstanceOf(BankError);
      expect(error, code).toMatchObject({ kind, code });
    }
  });

  it("is cursor_lost for a cursor of another item, which Plaid reports as INVALID_FIELD", async () => {
    const message = "cursor not associated with access_token";
    expect(await failure({ code: "INVALID_FIELD", message })).toMatchObject({ kind: "cursor_lost" });
  });

  it("passes on Retry-After in seconds", async () => {
    const headers = { "retry-after": "30" };
    expect(await failure({ code: "RATE_LIMIT", headers })).toMatchObject({ retryAfterSeconds: 30 });
    expect(await failure({ code: "RATE_LIMIT" })).toMatchObject({ retryAfterSeconds: undefined });
    const date = { "retry-after": "Mon, 02 Mar 2026 09:00:30 GMT" };
    expect(await failure({ code: "RATE_LIMIT", headers: date })).toMatchObject({ kind: "rate_limited" });
  });

  it("names the operation and Plaid's request id", async () => {
    const { message } = (await failure({ code: "INSTITUTION_DOWN" })) as PlaidError;
    expect(message).toMatch(/^accountsGet: INSTITUTION_ERROR INSTITUTION_DOWN, .+ \(request id\d+\)$/);
  });

  it("holds neither our secret nor a token", async () => {
    const item = linkedItem(plaid.fake);
    const message = `${item.accessToken} and access-sandbox-0f4b3c6e-4c4a-4d47-9a36-8f2d2f5c1c11 are bad`;
    const error = await failure({ code: "INVALID_ACCESS_TOKEN", message });
    const shown = `${String(error)} ${JSON.stringify(error)} ${String((error as Error).cause)}`;
    expect(shown).toContain("are bad");
    expect(shown).not.toContain(plaid.fake.credentials.secret);
    expect(shown).not.toContain("8f2d2f5c1c11");
    expect(error).toHaveProperty("cause", undefined);
  });
});

describe("a missing or invalid response", () => {
  it.each<[string, PlaidFault, BankErrorKind]>([
    ["a broken connection", "cut", "outage"],
    ["a proxy's error page", { status: 502, text: "<html>Bad gateway</html>" }, "outage"],
    [
      "a proxy's rate limit",
      { status: 429, text: "slow down", headers: { "retry-after": "5" } },
      "rate_limited",
    ],
    ["a page instead of JSON", { status: 200, text: "<html>Sign in</html>" }, "outage"],
    ["an empty response", { status: 200, text: "" }, "outage"],
    ["data without accounts", { status: 200, text: "{}" }, "outage"],
    ["null instead of accounts", { status: 200, text: '{"accounts":null}' }, "outage"],
    ["a redirect", { status: 307, text: "", headers: { location: "/accounts/get" } }, "outage"],
  ])("is an error and not an empty list: %s", async (_case, fault, kind) => {
    const error = await failure(fault);
    expect(error).toBeInstanceOf(PlaidError);
    expect(error).toMatchObject({ kind, code: null });
  });

  it("is an outage after the timeout", async () => {
    expect(await failure("hang", 20)).toMatchObject({ kind: "outage" });
  });

  it("is an outage if the host refuses the connection", async () => {
    const bank = plaid.bankWith({ basePath: "http://127.0.0.1:9" });
    await expect(bank.accounts(accessTo(linkedItem(plaid.fake)))).rejects.toMatchObject({ kind: "outage" });
  });
});

describe("plaidError", () => {
  it("throws other errors unchanged", () => {
    const bug = new TypeError("undefined is not a function");
    expect(() => plaidError("itemGet", bug)).toThrow(bug);
  });
});
