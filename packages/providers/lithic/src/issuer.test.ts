import type { CardStatus } from "@purser/cards/ports";
import { testClock } from "@purser/core/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { lithicCardRequest, startLithicIssuer } from "./fake/issuer.ts";
import { lithicToken } from "./fake/replies.ts";

let lithic: Awaited<ReturnType<typeof startLithicIssuer>>;
beforeAll(async () => (lithic = await startLithicIssuer(testClock())));
afterAll(async () => lithic.fake.close());

let cards = 0;
/** Each test has its own card. */
let request: ReturnType<typeof lithicCardRequest>;
beforeEach(() => {
  cards += 1;
  request = lithicCardRequest({ cardId: `card_${cards}`, memo: `Card ${cards}` });
});

const made = () =>
  [...lithic.fake.cards.values()].filter(({ memo }) => memo?.endsWith(`(${request.cardId})`));
const calls = (call: string) => lithic.fake.requests.filter((recorded) => recorded.call === call);

describe("lithicIssuer.supports", () => {
  it("supports USD by default, or the configured currencies", () => {
    expect(["USD", "CAD"].filter(lithic.issuer.supports)).toEqual(["USD"]);
    expect(["USD", "CAD"].filter(lithic.issuerWith({ currencies: ["CAD"] }).supports)).toEqual(["CAD"]);
  });
});

describe("lithicIssuer.createCard", () => {
  it("creates an open virtual card, and returns its display data", async () => {
    const card = await lithic.issuer.createCard(request);
    const memo = `${request.memo} (${request.cardId})`;
    expect(made()).toMatchObject([{ token: card.reference, type: "VIRTUAL", state: "OPEN", memo }]);
    expect(calls("POST /v1/cards").at(-1)?.fields).toEqual({ type: "VIRTUAL", memo, state: "OPEN" });
    // Lithic's response contains number and CVV too.
    expect(card).toEqual({
      reference: made()[0]?.token,
      lastFour: made()[0]?.last_four,
      expiryMonth: 6,
      expiryYear: 2031,
    });
  });

  it("creates one card per cardId, under any memo", async () => {
    const first = await lithic.issuer.createCard(request);
    const again = [request, { ...request, memo: "Renamed" }, request].map((cardRequest) =>
      lithic.issuer.createCard(cardRequest),
    );
    expect(await Promise.all(again)).toEqual([first, first, first]);
    expect(made()).toHaveLength(1);
    expect(JSON.stringify([...lithic.fake.cards.values()])).not.toContain("Renamed");
  });

  it("creates one card even if the first response is lost", async () => {
    lithic.fake.fail("POST /v1/cards", "lost");
    await expect(lithic.issuer.createCard(request)).rejects.toMatchObject({ kind: "outage" });
    const card = await lithic.issuer.createCard(request);
    expect(made().map(({ token }) => token)).toEqual([card.reference]);
  });

  it("finds a card that is to be closed, while Lithic repeats the failure of the request that made it", async () => {
    const failure = { status: 500, body: { message: "Internal error" }, isStored: true } as const;
    lithic.fake.fail("POST /v1/cards", failure);
    for (let attempt = 1; attempt <= 2; attempt += 1)
      await expect(lithic.issuer.createCard(request)).rejects.toMatchObject({ kind: "outage" });
    const { reference } = await lithic.issuer.createCard({ ...request, isAbandoned: true });
    expect(made().map(({ token }) => token)).toEqual([reference]);
  });

  it("finds a card that is to be closed by its whole cardId", async () => {
    const longer = await lithic.issuer.createCard({ ...request, cardId: `${request.cardId}0` });
    const card = await lithic.issuer.createCard({ ...request, isAbandoned: true });
    expect(card.reference).not.toBe(longer.reference);
  });

  it("creates another card for another cardId", async () => {
    const first = await lithic.issuer.createCard(request);
    const second = await lithic.issuer.createCard({ ...request, cardId: "card_other" });
    expect(second.reference).not.toBe(first.reference);
  });

  it.each([
    ["more than four digits", { last_four: "4111111289144142" }],
    ["an invalid month", { exp_month: "13" }],
    ["no month", { exp_month: undefined }],
    ["an invalid year", { exp_year: "31" }],
    ["an empty token", { token: "" }],
  ])("rejects a response with %s", async (_what, fields) => {
    const card = {
      token: lithicToken("ca4d", 1),
      last_four: "4142",
      exp_month: "6",
      exp_year: "2031",
      state: "OPEN",
    };
    lithic.fake.fail("POST /v1/cards", { status: 200, body: { ...card, ...fields } });
    await expect(lithic.issuer.createCard(request)).rejects.toMatchObject({ kind: "outage" });
    lithic.fake.fail("POST /v1/cards", { status: 200, body: card });
    expect(await lithic.issuer.createCard(request)).toMatchObject({ expiryMonth: 6 });
  });
});

describe("lithicIssuer.setStatus", () => {
  const set = async (reference: string, status: CardStatus, version: number) =>
    lithic.issuer.setStatus(reference, status, { cardId: request.cardId, version });

  it.each([
    ["ACTIVE", { state: "OPEN", substatus: null, comment: "Purser: ACTIVE, version 1" }],
    ["PAUSED", { state: "PAUSED", substatus: "OTHER", comment: "Purser: PAUSED, version 1" }],
    ["FROZEN", { state: "PAUSED", substatus: "INTERNAL_REVIEW", comment: "Purser: FROZEN, version 1" }],
    ["CLOSED", { state: "CLOSED", substatus: "OTHER", comment: "Purser: CLOSED, version 1" }],
  ] as const)("maps our status %s to Lithic's state %j", async (ours, theirs) => {
    const { reference } = await lithic.issuer.createCard(request);
    await set(reference, ours, 1);
    expect(made()).toMatchObject([theirs]);
  });

  it("sets a status again after a late request for an earlier one", async () => {
    const { reference } = await lithic.issuer.createCard(request);
    await set(reference, "ACTIVE", 2);
    await set(reference, "PAUSED", 1);
    expect(made()).toMatchObject([{ state: "PAUSED" }]);
    await set(reference, "ACTIVE", 2);
    expect(made()).toMatchObject([{ state: "OPEN" }]);
  });

  it("accepts closing a closed card", async () => {
    const { reference } = await lithic.issuer.createCard(request);
    await set(reference, "CLOSED", 1);
    await set(reference, "CLOSED", 1);
    await set(reference, "CLOSED", 2);
    expect(made()).toMatchObject([{ state: "CLOSED", comment: "Purser: CLOSED, version 1" }]);
  });

  it.each(["ACTIVE", "PAUSED", "FROZEN"] as const)(
    "throws card_not_found for setting a closed card to %s",
    async (ours) => {
      const { reference } = await lithic.issuer.createCard(request);
      await set(reference, "CLOSED", 1);
      await expect(set(reference, ours, 2)).rejects.toMatchObject({ kind: "card_not_found" });
    },
  );

  it("throws card_not_found for an unknown card", async () => {
    await expect(set(lithicToken("ca4d", 0), "PAUSED", 1)).rejects.toMatchObject({ kind: "card_not_found" });
  });

  it("throws refused if Lithic refuses and the card is open", async () => {
    const { reference } = await lithic.issuer.createCard(request);
    lithic.fake.fail(`PATCH /v1/cards/${reference}`, {
      status: 400,
      body: { message: "The account is suspended" },
    });
    await expect(set(reference, "ACTIVE", 1)).rejects.toMatchObject({ kind: "refused" });
  });
});

describe("lithicIssuer.setCardholder", () => {
  it("comments on the card, also after a late request for an earlier holder, and leaves its state", async () => {
    const { reference } = await lithic.issuer.createCard(request);
    const change = { cardId: request.cardId, version: 4 };
    await lithic.issuer.setStatus(reference, "PAUSED", change);
    await lithic.issuer.setCardholder!(reference, "user_2", change);
    await lithic.issuer.setCardholder!(reference, "user_1", { ...change, version: 3 });
    await lithic.issuer.setCardholder!(reference, "user_2", change);
    expect(made()).toMatchObject([{ state: "PAUSED", comment: "Purser: held by user_2, version 4" }]);
  });
});
