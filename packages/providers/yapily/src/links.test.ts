import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { minute, testClock } from "@purser/core/testing";
import type { Access, BankProvider, LinkRequest } from "@purser/banking/ports";
import { type RefusalName, refuse, success } from "./fake/responses.ts";
import { allFeatures, institution } from "./fake/data.ts";
import { type YapilyFake, credentials, startYapilyFake } from "./fake/index.ts";
import { yapilyBank } from "./index.ts";

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
  fake.institutions = [institution({ id: "modelo-sandbox" })];
  fake.consents.clear();
  bank = yapilyBank({ ...credentials, baseUrl: fake.url, clock });
});

const request: LinkRequest = {
  linkId: "lnk_1",
  organizationId: "org_own",
  userId: "user_1",
  institutionId: "modelo-sandbox",
  returnUrl: "https://purser.example/return",
  renews: null,
};
const stranger: LinkRequest = { ...request, organizationId: "org_other" };

/** A consent in force, and what renewing it begins with. */
function renewable(): { renews: Access; id: string } {
  const { id, consentToken } = fake.addConsent({ oneTimeToken: true });
  const renews = {
    organizationId: "org_own",
    institutionId: "modelo-sandbox",
    consentId: id,
    token: consentToken,
  };
  return { renews, id };
}

const sent = (method: string) => fake.requests.filter((made) => made.method === method);

describe("yapily createLink", () => {
  it("asks for a consent of the team, with what of accounts and transactions the bank offers", async () => {
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

  it("finds no institution that Yapily does not list", async () => {
    const link = bank.createLink({ ...request, institutionId: "nowhere" });
    await expect(link).rejects.toMatchObject({ kind: "institution_not_found" });
    expect(sent("POST")).toEqual([]);
  });

  it("is not supported where the bank shares no transactions", async () => {
    fake.institutions = [institution({ id: "modelo-sandbox", features: allFeatures.slice(0, 5) })];
    await expect(bank.createLink(request)).rejects.toMatchObject({ kind: "not_supported" });
  });

  it("is not supported where the bank has no page", async () => {
    fake.intercept = ({ method }) =>
      method === "POST" ? success({ id: "1", status: "AWAITING_SCA_METHOD" }, 201) : undefined;
    await expect(bank.createLink(request)).rejects.toMatchObject({ kind: "not_supported" });
  });

  it.each([[{}], [{ data: { authorisationUrl: "https://bank.example" } }]])(
    "takes %j for no link",
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
    expect(await bank.completeLink({ ...request, renews }, link.state, fake.authorise(id))).toBe(id);
  });

  it.each<RefusalName>([
    "badRequest",
    "consentUnauthorized",
    "consentRevoked",
    "insufficientRights",
    "notFound",
    "conflict",
    "notImplemented",
  ])("asks for a new consent where renewing is answered with %s", async (name) => {
    const { renews, id } = renewable();
    fake.intercept = ({ method }) => (method === "PATCH" ? refuse(name) : undefined);
    const link = await bank.createLink({ ...request, renews });
    expect(link.state).not.toBe(id);
    expect(await bank.completeLink(request, link.state, fake.authorise(link.state))).toBe(link.state);
  });

  it("asks for a new consent where the bank cannot renew, where renewing has no page, and without a token", async () => {
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
  ])("asks for nothing new where renewing fails for a while (%s)", async (name, kind) => {
    fake.intercept = ({ method }) => (method === "PATCH" ? refuse(name) : undefined);
    await expect(bank.createLink({ ...request, renews: renewable().renews })).rejects.toMatchObject({ kind });
    expect(sent("POST")).toEqual([]);
  });
});

describe("yapily completeLink", () => {
  const begun = async () => (await bank.createLink(request)).state;

  it("exchanges the one-time token for the consent", async () => {
    const state = await begun();
    expect(await bank.completeLink(request, state, fake.authorise(state))).toBe(state);
    expect(sent("POST").at(-1)).toMatchObject({ path: "/consent-one-time-token" });
  });

  it("takes a one-time token once", async () => {
    const state = await begun();
    const query = fake.authorise(state);
    await bank.completeLink(request, state, query);
    const again = bank.completeLink(request, state, query);
    await expect(again).rejects.toMatchObject({ kind: "consent_not_found" });
  });

  it("takes the consent's own token, where that is what came back, also among others", async () => {
    const state = await begun();
    fake.consents.get(state)!.oneTimeToken = false;
    const query = fake.authorise(state);
    expect(await bank.completeLink(request, state, query)).toBe(state);
    const several = new URLSearchParams([["consent", "another"], ...query]);
    expect(await bank.completeLink(request, state, several)).toBe(state);
  });

  it("finds no consent when the person turned back", async () => {
    const state = await begun();
    const returned = bank.completeLink(request, state, fake.cancel(state));
    await expect(returned).rejects.toMatchObject({
      kind: "consent_not_found",
      message: expect.stringContaining("access_denied"),
    });
  });

  it("quotes nothing else of what came back", async () => {
    const query = new URLSearchParams({
      error: "oops <script>alert(1)</script>",
      "error-description": "secret",
    });
    const returned = bank.completeLink(request, await begun(), query);
    await expect(returned).rejects.toMatchObject({
      message: 'Yapily, the consent: the bank sent "oops" back',
    });
  });

  it("finds none for a browser that brings nothing, however the consent stands", async () => {
    const state = await begun();
    fake.authorise(state);
    fake.requests = [];
    const returned = bank.completeLink(request, state, new URLSearchParams());
    await expect(returned).rejects.toMatchObject({ kind: "consent_not_found" });
    expect(fake.requests).toEqual([]);
  });

  it("finds none for a browser that brings another consent's tokens", async () => {
    const [own, other] = [await begun(), await begun()];
    fake.authorise(own);
    const returned = bank.completeLink(request, own, fake.authorise(other));
    await expect(returned).rejects.toMatchObject({ kind: "consent_not_found" });
    fake.consents.get(other)!.oneTimeToken = false;
    const presented = bank.completeLink(request, own, fake.authorise(other));
    await expect(presented).rejects.toMatchObject({ kind: "consent_not_found" });
  });

  it.each<[string, Partial<LinkRequest>]>([
    ["another team", stranger],
    ["another institution", { institutionId: "elsewhere" }],
  ])("finds none that was given for %s", async (_whose, over) => {
    const state = await begun();
    const exchanged = bank.completeLink({ ...request, ...over }, state, fake.authorise(state));
    await expect(exchanged).rejects.toMatchObject({ kind: "consent_not_found" });
    fake.consents.get(state)!.oneTimeToken = false;
    const presented = bank.completeLink({ ...request, ...over }, state, fake.authorise(state));
    await expect(presented).rejects.toMatchObject({ kind: "consent_not_found" });
  });

  it("finds none where others still have to agree", async () => {
    const state = await begun();
    const query = fake.authorise(state);
    fake.consents.get(state)!.status = "AWAITING_FURTHER_AUTHORIZATION";
    const returned = bank.completeLink(request, state, query);
    await expect(returned).rejects.toMatchObject({ kind: "consent_not_found" });
  });

  it("fails for a while where Yapily does", async () => {
    const state = await begun();
    const query = fake.authorise(state);
    fake.intercept = () => refuse("unavailable");
    await expect(bank.completeLink(request, state, query)).rejects.toMatchObject({ kind: "outage" });
    fake.intercept = () => undefined;
    expect(await bank.completeLink(request, state, query)).toBe(state);
  });
});
