import { problemOf, refusalOf } from "@purser/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CardScene, cornerShop, setCardScene } from "../testing/card-scene.ts";

let scene: CardScene;
let organizationId: string;

beforeAll(async () => {
  scene = await setCardScene();
  ({ organizationId } = scene);
});
afterAll(() => scene.purser.close());

const aPurchase = { amount: 100, merchant: cornerShop, channel: "in_store" } as const;
const check = (input: object, person = scene.owner) =>
  scene.purser.as(person).cards.policies.check({ organizationId, ...aPurchase, ...input });
const transactions = () => scene.purser.as(scene.owner).cards.transactions;

const of = (amount: number, interval: string) => ({ amount, interval });

const approved = { outcome: "approved", reason: null, passesWith: null };
const unlimited = { limit: null, used: null, remaining: null, resetsAt: null, interval: null };
const tomorrow = new Date("2026-03-03T00:00:00.000Z");

describe("cards.policies.check", () => {
  it("reports what is left of a card's limit, and when it resets", async () => {
    const cardId = await scene.newCard(await scene.policy({ spendingLimit: 1000, limitInterval: "DAILY" }));
    await scene.buy(cardId, { amount: 600 });
    const basis = { limit: 1000, used: 600, remaining: 400, resetsAt: tomorrow, interval: "DAILY" };
    const whole = { requestedAmount: 400, approvedAmount: 400 };
    expect(await check({ cardId, amount: 400 })).toEqual({ ...approved, ...whole, ...basis });
    expect(await check({ cardId, amount: 401 })).toEqual({
      outcome: "declined",
      reason: "daily_limit_exceeded",
      requestedAmount: 401,
      approvedAmount: 0,
      passesWith: { limits: [of(1001, "DAILY")] },
      ...basis,
    });
    expect(await check({ cardId, amount: 401, at: tomorrow })).toMatchObject({ ...approved, used: 0 });
  });

  it.each(["0001-01-01", "0049-06-30", "0099-12-31"])(
    "knows, like the engine, that a policy has expired that ended on %s",
    async (end) => {
      const activeTo = new Date(`${end}T00:00:00.000Z`);
      const policyId = await scene.policy({ activeTo });
      const cardId = await scene.newCard(policyId);
      expect(await check({ cardId })).toMatchObject({ outcome: "declined", reason: "policy_expired" });
      expect(await scene.buy(cardId)).toMatchObject({ declineReason: "policy_expired" });
      const listed = await scene.purser.as(scene.owner).cards.policies.list({ organizationId });
      expect(listed.find(({ id }) => id === policyId)).toMatchObject({ activeTo });
    },
  );

  it("changes nothing", async () => {
    const cardId = await scene.newCard(await scene.policy({ spendingLimit: 100, limitInterval: "DAILY" }));
    const answers = [await check({ cardId }), await check({ cardId }), await check({ cardId })];
    expect(answers.map(({ outcome }) => outcome)).toEqual(["approved", "approved", "approved"]);
    expect(await transactions().list({ organizationId, cardId })).toEqual([]);
    expect(await scene.buy(cardId)).toMatchObject({ status: "PENDING" });
  });

  it.each([
    [{}, {}],
    [{ spendingLimit: 250, limitInterval: "MONTHLY" }, { amount: 150 }],
    [{ spendingLimit: 250, limitInterval: "WEEKLY" }, { amount: 151 }],
    [{ spendingLimit: 250 }, { amount: 250 }],
    [{ spendingLimit: 250, limitInterval: "PER_TRANSACTION" }, { amount: 251 }],
    [{ activeTo: new Date("2026-03-02T09:00:00.000Z") }, {}],
    [{ daysOfWeek: [2] }, {}],
    [{ daysOfWeek: [2] }, { at: tomorrow }],
    [{ allowOnline: false }, { channel: "online" }],
    [{ allowInternational: false }, { merchant: { name: "Boulangerie", country: "FR" } }],
    [
      { merchantCategories: ["eating_places_restaurants"] },
      { merchant: { name: "Diner", category: "5812" } },
    ],
    [
      { blockedMerchantCategories: ["5411"], blockedMerchants: ["m-1"], allowInternational: false },
      { merchant: { name: "Stall", id: null, category: null, country: null } },
    ],
    [{ blockedMerchants: ["CORNERSHOP"] }, {}],
    [{ blockedMerchantCategories: ["5411"] }, {}],
    [{ allowedMerchants: ["Diner"] }, {}],
    [{ allowedMerchants: ["m-1"] }, {}],
    [{ limits: [of(250, "YEARLY"), of(150, "ALL_TIME"), of(140, "DAILY")] }, { amount: 39 }],
    [{ limits: [of(150, "YEARLY"), of(160, "ALL_TIME")] }, { amount: 51 }],
    [{ limits: [of(170, "YEARLY"), of(160, "ALL_TIME")] }, { amount: 61 }],
  ])("agrees with the engine under %j for %j", async (rules, purchase) => {
    const policyId = await scene.policy();
    const cardId = await scene.newCard(policyId);
    await scene.buy(cardId);
    await scene.purser.as(scene.owner).cards.policies.update({ organizationId, policyId, ...rules } as never);
    const { passesWith, ...answer } = await check({ cardId, ...purchase });
    expect(passesWith === null).toBe(answer.outcome === "approved");
    const { id: transactionId } = await scene.buy(cardId, purchase as never);
    const explained = await transactions().explain({
      organizationId,
      transactionId,
    });
    expect(explained).toMatchObject(answer);
  });

  it.each<[rules: object, passesWith: object, purchase?: object]>([
    [{ activeFrom: tomorrow }, { activeFrom: null }],
    [{ activeTo: new Date("2026-03-02T09:00:00.000Z") }, { activeTo: null }],
    [{ daysOfWeek: [2, 0] }, { daysOfWeek: [0, 1, 2] }],
    [{ allowAtm: false }, { allowAtm: true }, { channel: "atm" }],
    [{ allowOnline: false }, { allowOnline: true }, { channel: "online" }],
    [
      { allowInternational: false },
      { allowInternational: true },
      { merchant: { name: "Café", country: "FR" } },
    ],
    [{ merchantCategories: ["5812"] }, { merchantCategories: ["5812", "5411"] }],
    [
      { blockedMerchantCategories: ["5411", "grocery_stores_supermarkets", "5812"] },
      { blockedMerchantCategories: ["5812"] },
    ],
    [
      { blockedMerchantCategories: ["hotels_motels_and_resorts", "7011", "3501"] },
      { blockedMerchantCategories: ["7011"] },
      { merchant: { name: "Holiday Inn", category: "3501" } },
    ],
    [{ blockedMerchants: ["corner  SHOP", "m-1", "Other"] }, { blockedMerchants: ["Other"] }],
    [{ allowedMerchants: ["Diner"] }, { allowedMerchants: ["Diner", "Corner Shop"] }],
    [
      { limits: [of(150, "DAILY"), of(1000, "YEARLY"), of(199, "ALL_TIME"), of(99, "PER_TRANSACTION")] },
      { limits: [of(200, "DAILY"), of(1000, "YEARLY"), of(200, "ALL_TIME"), of(100, "PER_TRANSACTION")] },
    ],
    [
      { allowOnline: false, daysOfWeek: [0], limits: [of(10, "MONTHLY")] },
      { allowOnline: true, daysOfWeek: [0, 1], limits: [of(200, "MONTHLY")] },
      { channel: "online" },
    ],
  ])(
    "tells for %j that %j lets the purchase pass, which it does",
    async (rules, passesWith, purchase = {}) => {
      const policyId = await scene.policy();
      const cardId = await scene.newCard(policyId);
      await scene.buy(cardId);
      const { policies } = scene.purser.as(scene.owner).cards;
      await policies.update({ organizationId, policyId, ...rules });
      expect(await check({ cardId, ...purchase })).toMatchObject({ outcome: "declined", passesWith });
      expect((await check({ cardId, ...purchase })).passesWith).toEqual(passesWith);
      await policies.update({ organizationId, policyId, ...passesWith });
      expect(await check({ cardId, ...purchase })).toMatchObject(approved);
      expect(await scene.buy(cardId, purchase as never)).toMatchObject({ status: "PENDING" });
    },
  );

  it("tells that no policy lets a purchase pass", async () => {
    const cardId = await scene.newCard(
      await scene.policy({ merchantCategories: ["5812"], allowOnline: false }),
    );
    const unknown = { channel: "online", merchant: { name: "Shop" } };
    expect(await check({ cardId, ...unknown })).toMatchObject({
      reason: "online_not_allowed",
      passesWith: null,
    });
    // No list includes an unknown category, not even one that names it.
    const strange = { merchant: { name: "Shop", category: "no such category" } };
    expect(await check({ cardId, ...strange })).toMatchObject({
      reason: "merchant_category_not_allowed",
      passesWith: null,
    });
    await scene.purser.as(scene.owner).cards.updateStatus({ organizationId, cardId, status: "FROZEN" });
    expect(await check({ cardId })).toMatchObject({ reason: "card_frozen", passesWith: null });
  });

  it.each([
    ["merchantCategories", 500, (index: number) => String(5000 + index), "merchant_category_not_allowed"],
    ["allowedMerchants", 1000, (index: number) => `Shop ${index}`, "merchant_not_allowed"],
  ])(
    "tells so too if %s has its %i items, of which the merchant is none",
    async (list, size, nameOf, reason) => {
      const cardId = await scene.newCard(await scene.policy());
      const items = Array.from({ length: size }, (_, index) => nameOf(index));
      const merchant = { name: "Corner Shop", category: "7011" };
      const checkWith = (policy: object) => check({ cardId, policy, merchant });
      expect(await checkWith({ [list]: items })).toMatchObject({ reason, passesWith: null });
      const { passesWith } = await checkWith({ [list]: items.slice(1) });
      expect(await checkWith(passesWith!)).toMatchObject(approved);
    },
  );

  it("names each day once that lets a purchase pass, however often the policy names it", async () => {
    const policy = { daysOfWeek: [2, 2, 2, 2, 2, 2, 2] };
    const { passesWith } = await check({ policy });
    expect(passesWith).toEqual({ daysOfWeek: [1, 2] });
    expect(await check({ policy: passesWith! })).toMatchObject(approved);
  });

  it("tells so too of an amount that no exact limit can hold beside what was spent", async () => {
    const cardId = await scene.newCard(await scene.policy());
    await scene.buy(cardId, { amount: 999 });
    const policy = { limits: [of(1, "DAILY")] };
    for (const less of [0, 1, 998])
      expect(await check({ cardId, policy, amount: Number.MAX_SAFE_INTEGER - less })).toMatchObject({
        reason: "daily_limit_exceeded",
        passesWith: null,
      });
    const limits = [of(Number.MAX_SAFE_INTEGER, "DAILY")];
    expect(await check({ cardId, policy, amount: Number.MAX_SAFE_INTEGER - 999 })).toMatchObject({
      passesWith: { limits },
    });
  });

  it("applies the rules about the card", async () => {
    const cardId = await scene.newCard(await scene.policy());
    const { cards } = scene.purser.as(scene.owner);
    await cards.updateStatus({ organizationId, cardId, status: "FROZEN" });
    expect(await check({ cardId })).toMatchObject({ reason: "card_frozen" });
    expect(await check({ cardId, policy: {} })).toMatchObject({ reason: "card_frozen" });
  });

  it("replaces a card's policy by a draft, on the card's spending", async () => {
    const cardId = await scene.newCard(await scene.policy({ allowAtm: false }));
    await scene.buy(cardId, { amount: 600 });
    expect(await check({ cardId, channel: "atm" })).toMatchObject({ reason: "atm_not_allowed" });
    expect(await check({ cardId, channel: "atm", policy: {} })).toEqual({
      ...approved,
      requestedAmount: 100,
      approvedAmount: 100,
      ...unlimited,
    });
    const policy = { spendingLimit: 650, limitInterval: "MONTHLY" };
    expect(await check({ cardId, policy })).toMatchObject({
      reason: "monthly_limit_exceeded",
      used: 600,
      remaining: 50,
      resetsAt: new Date("2026-04-01T00:00:00.000Z"),
    });
    // The card's own policy limits neither.
    expect(await check({ cardId, policy: { limits: [of(650, "YEARLY")] } })).toMatchObject({
      reason: "yearly_limit_exceeded",
      used: 600,
      remaining: 50,
      resetsAt: new Date("2027-01-01T00:00:00.000Z"),
      interval: "YEARLY",
    });
    expect(await check({ cardId, policy: { limits: [of(650, "ALL_TIME")] } })).toMatchObject({
      reason: "all_time_limit_exceeded",
      used: 600,
      resetsAt: null,
      interval: "ALL_TIME",
    });
    const draft = { limits: [of(650, "YEARLY")], spendingLimit: 1 };
    expect(problemOf(await check({ cardId, policy: draft }).catch((error: unknown) => error))).toMatchObject({
      issues: [{ path: ["policy", "limits"] }],
    });
  });

  it("decides on a draft alone without spending, in the organization's time zone", async () => {
    const elsewhere = await scene.purser.organization(scene.owner);
    const { organizations } = scene.purser.as(scene.owner);
    await organizations.settings.update({ id: elsewhere, timeZone: "Pacific/Auckland" });
    const policy = { spendingLimit: 100, limitInterval: "DAILY", daysOfWeek: [1] };
    const checkAt = (at: string) => check({ organizationId: elsewhere, policy, at: new Date(at) });
    expect(await checkAt("2026-03-02T10:59:59.999Z")).toEqual({
      ...approved,
      requestedAmount: 100,
      approvedAmount: 100,
      limit: 100,
      used: 0,
      remaining: 100,
      interval: "DAILY",
      resetsAt: new Date("2026-03-02T11:00:00.000Z"),
    });
    expect(await checkAt("2026-03-02T11:00:00.000Z")).toMatchObject({ reason: "day_not_allowed" });
    const abroad = { merchant: { ...cornerShop, country: "FR" }, policy: { allowInternational: false } };
    expect(await check({ organizationId: elsewhere, ...abroad })).toMatchObject(approved);
  });

  it("lets cardholders check their own card only, with and without a draft", async () => {
    const cardId = await scene.newCard(await scene.policy());
    expect(await check({ cardId }, scene.member)).toMatchObject(approved);
    expect(await check({ cardId, policy: { spendingLimit: 1 } }, scene.member)).toMatchObject({ limit: 1 });
    expect(await refusalOf(check({ policy: {} }, scene.member))).toBe("FORBIDDEN");
    expect(await refusalOf(check({ cardId }, scene.other))).toBe("CARD_NOT_FOUND");
    expect(await refusalOf(check({ cardId, policy: {} }, scene.other))).toBe("CARD_NOT_FOUND");
  });

  it("does not find an unknown card, or one of another organization", async () => {
    const cardId = await scene.newCard(await scene.policy());
    const elsewhere = await scene.purser.organization(scene.owner);
    expect(await refusalOf(check({ organizationId: elsewhere, cardId }))).toBe("CARD_NOT_FOUND");
    expect(await refusalOf(check({ cardId: scene.purser.unknownId("card") }))).toBe("CARD_NOT_FOUND");
  });

  it.each([
    [{}, "cardId"],
    [{ policy: {}, amount: -1 }, "amount"],
    [{ policy: {}, amount: 1.5 }, "amount"],
    [{ policy: {}, channel: "contactless" }, "channel"],
    [{ policy: {}, merchant: {} }, "merchant.name"],
    [{ policy: {}, merchant: { name: "Shop", country: "gb" } }, "merchant.country"],
    [{ policy: {}, at: new Date(Number.NaN) }, "at"],
    [{ policy: { merchantCategories: ["x"] } }, "policy.merchantCategories.0"],
    [{ policy: { activeFrom: new Date(1), activeTo: new Date(0) } }, "policy.activeFrom"],
  ])("refuses %j", async (input, path) => {
    const { code, issues } = problemOf(await check(input).then(String, (error: unknown) => error));
    expect({ code, path: issues?.map((issue) => issue.path.join(".")) }).toEqual({
      code: "VALIDATION_FAILED",
      path: [path],
    });
  });
});
