import { day } from "@purser/core/testing";
import { cardPolicies, cards as cardsTable } from "@purser/db";
import { problemOf, refusalOf } from "@purser/testing";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lockCard } from "../store.ts";
import { type CardScene, setCardScene } from "../testing/card-scene.ts";

let scene: CardScene;
let organizationId: string;

beforeAll(async () => {
  scene = await setCardScene();
  ({ organizationId } = scene);
});
afterAll(() => scene.purser.close());

const policies = (person = scene.owner) => scene.purser.as(person).cards.policies;
const create = (rules: object = {}) => policies().create({ organizationId, name: "Policy", ...rules });
const update = (policyId: string, patch: object) => policies().update({ organizationId, policyId, ...patch });
const at = (text: string) => new Date(text);

/** The paths of the invalid input fields. */
async function wrong(call: Promise<unknown>) {
  const { code, issues } = problemOf(await call.then(String, (error: unknown) => error));
  return { code, paths: issues?.map(({ path }) => path.join(".")) };
}

const allowing = {
  description: null,
  spendingLimit: null,
  limitInterval: null,
  limits: [],
  allowAtm: true,
  allowOnline: true,
  allowInternational: true,
  merchantCategories: [],
  blockedMerchantCategories: [],
  blockedMerchants: [],
  allowedMerchants: [],
  activeFrom: null,
  activeTo: null,
  daysOfWeek: [],
};

type Limit = Awaited<ReturnType<typeof create>>["limits"][number];

const of = (amount: number, interval: Limit["interval"]): Limit => ({ amount, interval });

const strict = {
  description: "For the weekend",
  spendingLimit: 0,
  limitInterval: "WEEKLY",
  limits: [
    { amount: 0, interval: "WEEKLY" },
    { amount: 2 ** 53 - 1, interval: "ALL_TIME" },
  ],
  allowAtm: false,
  allowOnline: false,
  allowInternational: false,
  merchantCategories: ["5411", "hotels_motels_and_resorts", "5411"],
  blockedMerchantCategories: ["7995", "airlines_air_carriers"],
  blockedMerchants: ["Corner Shop", "corner shop"],
  allowedMerchants: ["Bakery Row", "174030075991"],
  activeFrom: at("2026-01-01T00:00:00.000Z"),
  activeTo: at("2026-01-01T00:00:00.001Z"),
  daysOfWeek: [6, 0],
} as const;

describe("cards.policies.create", () => {
  it("allows everything by default", async () => {
    expect(await create()).toEqual({
      id: expect.stringMatching(/^pol_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
      organizationId,
      name: "Policy",
      ...allowing,
    });
  });

  it("stores every rule of the input, trimmed", async () => {
    const policy = await create({
      ...strict,
      name: " Weekend ",
      blockedMerchants: [" Corner Shop", "corner shop"],
    });
    expect(policy).toMatchObject({ name: "Weekend", ...strict });
    expect(await policies().list({ organizationId, limit: 1 })).toEqual([
      { ...policy, cardCount: 0, currencies: [] },
    ]);
  });

  it("accepts null for nullable fields, and undefined for absent fields", async () => {
    const nothing = {
      description: null,
      spendingLimit: null,
      limitInterval: null,
      activeFrom: null,
      activeTo: null,
    };
    expect(await create({ ...nothing, allowAtm: undefined, daysOfWeek: undefined })).toMatchObject(allowing);
  });

  it.each([
    [{ name: "  " }, "name"],
    [{ name: undefined }, "name"],
    [{ spendingLimit: -1 }, "spendingLimit"],
    [{ spendingLimit: 0.5 }, "spendingLimit"],
    [{ spendingLimit: 2 ** 53 }, "spendingLimit"],
    [{ spendingLimit: "100" }, "spendingLimit"],
    [{ limitInterval: "YEARLY" }, "limitInterval"],
    [{ allowAtm: null }, "allowAtm"],
    [{ merchantCategories: ["5411", "no_such_category"] }, "merchantCategories.1"],
    [{ merchantCategories: ["541"] }, "merchantCategories.0"],
    [{ merchantCategories: null }, "merchantCategories"],
    [{ blockedMerchants: [" "] }, "blockedMerchants.0"],
    [{ daysOfWeek: [7] }, "daysOfWeek.0"],
    [{ daysOfWeek: [0, -1] }, "daysOfWeek.1"],
    [{ daysOfWeek: [1.5] }, "daysOfWeek.0"],
    [{ activeFrom: "2026-01-01" }, "activeFrom"],
    [{ activeFrom: at("2026-01-02"), activeTo: at("2026-01-01") }, "activeFrom"],
    [{ activeFrom: at("2026-01-01"), activeTo: at("2026-01-01") }, "activeFrom"],
    [{ spendingLimits: 1 }, ""],
    [{ blockedMerchantCategories: ["no_such_category"] }, "blockedMerchantCategories.0"],
    [{ allowedMerchants: [" "] }, "allowedMerchants.0"],
  ])("refuses %j", async (rules, path) => {
    expect(await wrong(create(rules))).toEqual({ code: "VALIDATION_FAILED", paths: [path] });
  });
});

describe("cards.policies.list", () => {
  it("lists the newest first, in pages, to members too", async () => {
    const made = [await create({ name: "1" }), await create({ name: "2" }), await create({ name: "3" })];
    const [third, second, first] = made.map(({ id }) => id).toReversed();
    const newest = await policies(scene.member).list({ organizationId, limit: 2 });
    expect(newest.map(({ id }) => id)).toEqual([third, second]);
    const next = await policies(scene.member).list({ organizationId, limit: 1, after: second! });
    expect(next.map(({ id }) => id)).toEqual([first]);
  });

  it("counts the issued cards of a policy that are not closed", async () => {
    const policyId = await scene.policy();
    const [, paused, closed, unissued] = [
      await scene.newCard(policyId),
      await scene.newCard(policyId, scene.owner),
      await scene.newCard(policyId),
      await scene.newCard(policyId),
    ];
    const { db } = scene.purser;
    await db.update(cardsTable).set({ issuedAt: null }).where(eq(cardsTable.id, unissued));
    const { cards } = scene.purser.as(scene.owner);
    await cards.updateStatus({ organizationId, cardId: paused, status: "PAUSED" });
    await cards.updateStatus({ organizationId, cardId: closed, status: "CLOSED" });
    const [listed] = await policies().list({ organizationId, limit: 1 });
    expect(listed).toMatchObject({ id: policyId, cardCount: 2, currencies: ["GBP"] });
  });

  it("finds only policies of this organization", async () => {
    const elsewhere = await scene.purser.organization(scene.owner);
    expect(await policies().list({ organizationId: elsewhere })).toEqual([]);
  });
});

describe("cards.policies.update", () => {
  it("changes the fields of the patch only", async () => {
    const policy = await create(strict);
    const changed = await update(policy.id, { spendingLimit: 500, daysOfWeek: [], description: null });
    const limits = [of(500, "WEEKLY"), ...strict.limits.slice(1)];
    expect(changed).toEqual({ ...policy, spendingLimit: 500, limits, daysOfWeek: [], description: null });
    const [listed] = await policies().list({ organizationId, limit: 1 });
    expect(listed).toEqual({ ...changed, cardCount: 0, currencies: [] });
  });

  it("clears nullable fields", async () => {
    const { id } = await create(strict);
    const nothing = {
      description: null,
      spendingLimit: null,
      limitInterval: null,
      activeFrom: null,
      activeTo: null,
    };
    expect(await update(id, nothing)).toMatchObject({ ...nothing, limits: strict.limits.slice(1) });
  });

  it("audits a change, and nothing if nothing changed", async () => {
    const policy = await create(strict);
    expect(await update(policy.id, {})).toEqual(policy);
    expect(await update(policy.id, { ...strict, name: undefined })).toEqual(policy);
    await update(policy.id, { ...strict, name: "Weekday", activeTo: at("2026-02-01") });
    const trail = await scene.purser.as(scene.owner).organizations.audit.list({ id: organizationId });
    const entries = trail.filter(({ subject }) => subject === policy.id);
    expect(entries).toMatchObject([
      {
        action: "cards.policies.update",
        details: {
          from: { name: "Policy", activeTo: "2026-01-01T00:00:00.001Z" },
          to: { name: "Weekday", activeTo: "2026-02-01T00:00:00.000Z" },
        },
      },
      { action: "cards.policies.create", details: { name: "Policy", spendingLimit: 0 } },
    ]);
    expect(Object.keys(entries[0]!.details["to"] as object)).toEqual(["name", "activeTo"]);
  });

  it.each([
    [{ activeFrom: at("2026-03-01") }],
    [{ activeTo: at("2026-01-31") }],
    [{ activeFrom: at("2026-03-02"), activeTo: at("2026-03-01") }],
  ])("refuses %j, which would end a policy before its start", async (patch) => {
    const { id } = await create({ activeFrom: at("2026-02-01"), activeTo: at("2026-03-01") });
    expect(await wrong(update(id, patch))).toEqual({ code: "VALIDATION_FAILED", paths: ["activeFrom"] });
  });

  it("validates the resulting policy, not the patch", async () => {
    const { id } = await create({ activeFrom: at("2026-02-01"), activeTo: at("2026-03-01") });
    expect(await update(id, { activeFrom: at("2026-03-01"), activeTo: null })).toMatchObject({
      activeTo: null,
    });
    expect(await update(id, { spendingLimit: 5 })).toMatchObject({ limitInterval: null, spendingLimit: 5 });
  });

  it("applies to the next purchase, and to earlier spending", async () => {
    const policyId = await scene.policy({ spendingLimit: 1000, limitInterval: "DAILY" });
    const cardId = await scene.newCard(policyId);
    const reasons = [];
    for (const patch of [{}, { spendingLimit: 150 }, { limitInterval: "WEEKLY" }, { spendingLimit: 200 }]) {
      await update(policyId, patch);
      reasons.push((await scene.buy(cardId)).declineReason);
    }
    expect(reasons).toEqual([null, "daily_limit_exceeded", "weekly_limit_exceeded", null]);
  });

  it("is a new version for decisions if the terms change, and changes no card", async () => {
    const policyId = await scene.policy();
    const [cardId] = [await scene.newCard(policyId), await scene.newCard(policyId)];
    const versions = async () => {
      const { db } = scene.purser;
      const [policy] = await db.select().from(cardPolicies).where(eq(cardPolicies.id, policyId));
      const [card] = await db.select().from(cardsTable).where(eq(cardsTable.id, cardId));
      return { policy: policy!.version, card: card!.version };
    };
    const { policy, card } = await versions();
    await update(policyId, { name: "Renamed", description: "Decisions do not depend on it" });
    expect(await versions()).toEqual({ policy, card });
    await update(policyId, { allowAtm: false });
    expect(await versions()).toEqual({ policy: policy + 1, card });
  });

  it("keeps both of two concurrent changes", async () => {
    const { id } = await create();
    await Promise.all([update(id, { allowAtm: false }), update(id, { spendingLimit: 7 })]);
    const [listed] = await policies().list({ organizationId, limit: 1 });
    expect(listed).toMatchObject({ id, allowAtm: false, spendingLimit: 7 });
  });

  it("waits for none of its cards", async () => {
    const policyId = await scene.policy();
    const id = await scene.newCard(policyId);
    await scene.purser.db.transaction(async (transaction) => {
      await lockCard(transaction, { organizationId, id });
      expect(await update(policyId, { allowAtm: false })).toMatchObject({ allowAtm: false });
    });
  });

  it("completes while cards swap policies, and so do they", async () => {
    const here = await scene.policy();
    const there = await scene.policy();
    const pair = [await scene.newCard(here), await scene.newCard(there)];
    const { cards } = scene.purser.as(scene.owner);
    for (const policyIds of [
      [there, here],
      [here, there],
      [there, here],
    ]) {
      const allowAtm = policyIds[0] === here;
      const moves = pair.map((cardId, nth) =>
        cards.update({ organizationId, cardId, policyId: policyIds[nth]! }),
      );
      const changes = policyIds.map((policyId) => update(policyId, { allowAtm }));
      const [first, second] = await Promise.all([...moves, ...changes]);
      expect([first, second]).toMatchObject(policyIds.map((policyId) => ({ policyId })));
    }
  });

  it("does not find an unknown policy, or one of another organization", async () => {
    const elsewhere = await scene.purser.organization(scene.owner);
    const { id } = await policies().create({ organizationId: elsewhere, name: "Theirs" });
    for (const policyId of [id, scene.purser.unknownId("pol"), "x"]) {
      expect(await refusalOf(update(policyId, { name: "Mine" }))).toBe("CARD_POLICY_NOT_FOUND");
    }
    scene.purser.clock.advance(day);
    expect(await policies().list({ organizationId: elsewhere })).toMatchObject([{ id, name: "Theirs" }]);
  });
});
