import type { Access, BankProvider, LinkRequest } from "@purser/banking/ports";
import { minute, testClock } from "@purser/core/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { allFeatures, exampleInstitution } from "./fake/data.ts";
import { type FakeConsent, type YapilyFake, credentials, startYapilyFake } from "./fake/index.ts";
import { type RefusalName, refuse, success } from "./fake/responses.ts";
import { yapilyBank } from "./bank.ts";

let fake: YapilyFake;
let bank: BankProvider;
const clock = testClock();

beforeAll(async () => {
  fake = await startYapilyFake();
});
afterAll(() => fake.close());
beforeEach(() => {
  fake.requests = [];
  fake.intercept = () => undefined;
  fake.institutions = [exampleInstitution({ id: "modelo-sandbox" })];
  fake.consents.clear();
  bank = yapilyBank({ ...credentials, baseUrl: fake.url, clock });
});

const request: LinkRequest = {
  linkId: "lnk_1",
  organizationId: "org_own",
  userId: "user_1",
  institutionId: "modelo-sandbox",
  returnUrl: "https://purser.example/return",
  continuesConnection: false,
  renews: null,
};
const stranger: LinkRequest = { ...request, organizationId: "org_other" };

/** A consent that has expired, and its renewal. */
function renewable(over: Partial<FakeConsent> = {}): { renews: Access; id: string } {
  const { id, consentToken } = fake.addConsent({ oneTimeToken: true, status: "EXPIRED", ...over });
  const renews = {
    organizationId: "org_own",
    institutionId: "modelo-sandbox",
    consentId: id,
    token: consentToken,
  };
  return { renews, id };
}

const sent = (method: string) => fake.requests.filter((made) => made.method === method);

describe("yapilyBank.createLink", () => {
  it("requests a consent for the team, with the features for reading that the bank has", async () => {
    const link = await bank.createLink(request);
    expect(sent("POST").map(({ path, body }) => ({ path, body }))).toEqual([
      {
        path: "/account-auth-requests",
        body: {
          applicationUserId: "org_own",
          institutionId: "modelo-sandbox",
          callback: "https://purser.example/return",
          oneTimeToken: true,
          accountRequest: {
            featureScope: [
              "ACCOUNTS",
              "ACCOUNT",
              "ACCOUNT_BALANCES",
              "ACCOUNT_TRANSACTIONS",
              "ACCOUNT_TRANSACTIONS_WITH_MERCHANT",
            ],
          },
        },
      },
    ]);
    expect(link).toEqual({
      url: `https://bank.example/auth?state=${link.state}`,
      expiresAt: new Date(clock.now().getTime() + 30 * minute),
      state: [...fake.consents.keys()][0],
    });
  });

  it("throws institution_not_found for an unknown institution", async () => {
    const link = bank.createLink({ ...request, institutionId: "nowhere" });
    await expect(link).rejects.toMatchObject({ kind: "institution_not_found" });
    expect(sent("POST")).toEqual([]);
  });

  it("throws not_supported for a bank without transactions", async () => {
    fake.institutions = [exampleInstitution({ id: "modelo-sandbox", features: allFeatures.slice(0, 5) })];
    await expect(bank.createLink(request)).rejects.toMatchObject({ kind: "not_supported" });
  });

  it("throws not_supported for a bank without a page", async () => {
    fake.intercept = ({ method }) =>
      method === "POST" ? success({ id: "1", status: "AWAITING_SCA_METHOD" }, 201) : undefined;
    await expect(bank.createLink(request)).rejects.toMatchObject({ kind: "not_supported" });
  });

  it.each([[{}], [{ data: { authorisationUrl: "https://bank.example" } }]])(
    "throws for the response %j",
    async (body) => {
      fake.intercept = ({ method }) => (method === "POST" ? { status: 201, body } : undefined);
      await expect(bank.createLink(request)).rejects.toMatchObject({ name: "BankError" });
    },
  );

  it("renews a consent in place, with its token", async () => {
    const { renews, id } = renewable();
    const link = await bank.createLink({ ...request, renews });
    expect(link).toMatchObject({ url: `https://bank.example/auth?state=${id}`, state: id });
    expect(sent("PATCH")[0]).toMatchObject({
      path: "/account-auth-requests",
      headers: { consent: renews.token },
    });
    expect(sent("POST")).toEqual([]);
    expect(await bank.completeLink({ ...request, renews }, link.state, fake.authorize(id))).toMatchObject({
      consentId: id,
    });
  });

  it.each<[string, typeof fake.institutions]>([
    ["no longer lists", []],
    ["no longer offers", [exampleInstitution({ id: "modelo-sandbox", features: [] })]],
  ])("renews a consent of a bank that Yapily %s for new ones", async (_case, institutions) => {
    const { renews, id } = renewable();
    fake.institutions = institutions;
    expect((await bank.createLink({ ...request, renews })).state).toBe(id);
    await expect(bank.createLink(request)).rejects.toMatchObject({ name: "BankError" });
  });

  it.each<RefusalName>([
    "badRequest",
    "consentUnauthorized",
    "consentRevoked",
    "insufficientRights",
    "notFound",
    "conflict",
    "missingAtBank",
    "notImplemented",
  ])("requests a new consent if the renewal fails with %s", async (name) => {
    const { renews, id } = renewable();
    fake.intercept = ({ method }) => (method === "PATCH" ? refuse(name) : undefined);
    const link = await bank.createLink({ ...request, renews });
    expect(link.state).not.toBe(id);
    expect(await bank.completeLink(request, link.state, fake.authorize(link.state))).toMatchObject({
      consentId: link.state,
    });
  });

  it("requests a new consent instead of one that is in force, which it leaves so", async () => {
    const { renews, id } = renewable({ status: "AUTHORIZED" });
    expect((await bank.createLink({ ...request, renews })).state).not.toBe(id);
    expect(sent("PATCH")).toEqual([]);
    expect(await bank.consentStatus(renews)).toMatchObject({ status: "authorized" });
  });

  it("renews a consent again whose renewal the person did not finish", async () => {
    const { renews, id } = renewable();
    for (const _attempt of [1, 2]) expect((await bank.createLink({ ...request, renews })).state).toBe(id);
  });

  it("requests a new consent if Yapily no longer has the one to renew", async () => {
    const { renews, id } = renewable();
    fake.consents.delete(id);
    expect((await bank.createLink({ ...request, renews })).state).not.toBe(id);
  });

  it("requests a new consent if the bank cannot renew, the renewal has no page, or the token is missing", async () => {
    const { renews, id } = renewable();
    fake.consents.get(id)!.isUnrenewable = true;
    expect((await bank.createLink({ ...request, renews })).state).not.toBe(id);
    fake.intercept = ({ method }) => (method === "PATCH" ? success({ id }, 201) : undefined);
    expect((await bank.createLink({ ...request, renews })).state).not.toBe(id);
    fake.requests = [];
    expect((await bank.createLink({ ...request, renews: { ...renews, token: null } })).state).not.toBe(id);
    expect(sent("PATCH")).toEqual([]);
  });

  it.each<[RefusalName, string]>([
    ["failedDependency", "outage"],
    ["tooManyRequests", "rate_limited"],
    ["unavailable", "outage"],
  ])("throws if the renewal fails temporarily (%s), and requests no new consent", async (name, kind) => {
    fake.intercept = ({ method }) => (method === "PATCH" ? refuse(name) : undefined);
    await expect(bank.createLink({ ...request, renews: renewable().renews })).rejects.toMatchObject({ kind });
    expect(sent("POST")).toEqual([]);
  });
});

describe("yapilyBank.completeLink", () => {
  const startLink = async () => (await bank.createLink(request)).state;

  it("exchanges the one-time token for the consent", async () => {
    const state = await startLink();
    expect(await bank.completeLink(request, state, fake.authorize(state))).toMatchObject({
      consentId: state,
    });
    expect(sent("POST").at(-1)).toMatchObject({ path: "/consent-one-time-token" });
  });

  it("accepts a one-time token once", async () => {
    const state = await startLink();
    const query = fake.authorize(state);
    await bank.completeLink(request, state, query);
    const again = bank.completeLink(request, state, query);
    await expect(again).rejects.toMatchObject({ kind: "consent_not_found" });
  });

  it("accepts the consent's token without a one-time token, also among several", async () => {
    const state = await startLink();
    fake.consents.get(state)!.oneTimeToken = false;
    const query = fake.authorize(state);
    expect(await bank.completeLink(request, state, query)).toMatchObject({ consentId: state });
    const several = new URLSearchParams([["consent", "another"], ...query]);
    expect(await bank.completeLink(request, state, several)).toMatchObject({ consentId: state });
  });

  it("throws consent_not_found after a cancellation", async () => {
    const state = await startLink();
    const returned = bank.completeLink(request, state, fake.cancel(state));
    await expect(returned).rejects.toMatchObject({
      kind: "consent_not_found",
      message: expect.stringContaining("access_denied"),
    });
  });

  it("quotes only the error code of the return URL", async () => {
    const query = new URLSearchParams({
      error: "oops <script>alert(1)</script>",
      "error-description": "secret",
    });
    const returned = bank.completeLink(request, await startLink(), query);
    await expect(returned).rejects.toMatchObject({
      message: 'Yapily, the consent: the bank returned the error "oops"',
    });
  });

  it("throws consent_not_found for a browser without a token, also if the consent is authorized", async () => {
    const state = await startLink();
    fake.authorize(state);
    fake.requests = [];
    const returned = bank.completeLink(request, state, new URLSearchParams());
    await expect(returned).rejects.toMatchObject({ kind: "consent_not_found" });
    expect(fake.requests).toEqual([]);
  });

  it("throws consent_not_found for a browser with another consent's token", async () => {
    const [own, other] = [await startLink(), await startLink()];
    fake.authorize(own);
    const returned = bank.completeLink(request, own, fake.authorize(other));
    await expect(returned).rejects.toMatchObject({ kind: "consent_not_found" });
    fake.consents.get(other)!.oneTimeToken = false;
    const presented = bank.completeLink(request, own, fake.authorize(other));
    await expect(presented).rejects.toMatchObject({ kind: "consent_not_found" });
  });

  it.each<[string, Partial<LinkRequest>]>([
    ["another team", stranger],
    ["another institution", { institutionId: "elsewhere" }],
  ])("throws consent_not_found for a consent of %s", async (_case, over) => {
    const state = await startLink();
    const exchanged = bank.completeLink({ ...request, ...over }, state, fake.authorize(state));
    await expect(exchanged).rejects.toMatchObject({ kind: "consent_not_found" });
    fake.consents.get(state)!.oneTimeToken = false;
    const presented = bank.completeLink({ ...request, ...over }, state, fake.authorize(state));
    await expect(presented).rejects.toMatchObject({ kind: "consent_not_found" });
  });

  it("throws authorization_pending while other owners have not agreed, to the browser of the one who has", async () => {
    const state = await startLink();
    const query = fake.authorize(state);
    fake.consents.get(state)!.status = "AWAITING_FURTHER_AUTHORIZATION";
    const other = bank.completeLink(request, state, new URLSearchParams());
    await expect(other).rejects.toMatchObject({ kind: "consent_not_found" });
    const returned = bank.completeLink(request, state, query);
    await expect(returned).rejects.toMatchObject({ kind: "authorization_pending" });
  });

  it.each<[Record<string, string>, string]>([
    [{ error: "access_denied" }, "consent_not_found"],
    [{ error: "login_cancelled", "error-source": "user" }, "consent_not_found"],
    [{ error: "server_error" }, "authorization_failed"],
    [{ error: "temporarily_unavailable", "error-source": "institution" }, "authorization_failed"],
  ])("tells a refusal from a failure of the bank: %j", async (query, kind) => {
    const returned = bank.completeLink(request, await startLink(), new URLSearchParams(query));
    await expect(returned).rejects.toMatchObject({ kind });
  });

  it("throws if Yapily is unavailable, and works later", async () => {
    const state = await startLink();
    const query = fake.authorize(state);
    fake.intercept = () => refuse("unavailable");
    await expect(bank.completeLink(request, state, query)).rejects.toMatchObject({ kind: "outage" });
    fake.intercept = () => undefined;
    expect(await bank.completeLink(request, state, query)).toMatchObject({ consentId: state });
  });
});
