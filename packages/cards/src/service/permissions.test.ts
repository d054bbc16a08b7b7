import { cardStatuses } from "@purser/core";
import { type Person, type TestPurser, createTestPurser, outcomeOf } from "@purser/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CardFixture, createCardFixture } from "../testing/card-scene.ts";

let purser: TestPurser;
let fixture: CardFixture;
let holder: Person;
let organizationId: string;

beforeAll(async () => {
  purser = await createTestPurser();
  holder = await purser.person();
  fixture = await createCardFixture(purser, { members: [holder] });
  ({ organizationId } = fixture);
});
afterAll(() => purser.close());

const cards = (person: Person) => purser.as(person).cards;
const isRefused = async (call: Promise<unknown>) => (await outcomeOf(call)) !== "ok";

describe("what a card of the list may do", () => {
  const cases = cardStatuses.flatMap((status) =>
    (["owner", "holder"] as const).map((who) => [status, who] as const),
  );

  it.each(cases)("%s, for its %s, is what the calls do not refuse", async (status, who) => {
    const caller = who === "owner" ? fixture.owner : holder;
    const { id: cardId } = await fixture.card({}, holder.userId);
    await cards(fixture.owner).updateStatus({ organizationId, cardId, status });
    const listed = (await cards(caller).list({ organizationId })).find(({ id }) => id === cardId)!;
    const outcomes = {
      canUpdate: !(await isRefused(cards(caller).update({ organizationId, cardId, nickname: who }))),
      canReveal: !(await isRefused(cards(caller).reveal({ organizationId, cardId }))),
    };
    expect(listed).toMatchObject(outcomes);
    for (const next of cardStatuses.filter((one) => one !== status)) {
      const other = await fixture.card({}, holder.userId);
      const target = { organizationId, cardId: other.id };
      await cards(fixture.owner).updateStatus({ ...target, status });
      const refused = await isRefused(cards(caller).updateStatus({ ...target, status: next }));
      expect([next, listed.nextStatuses.includes(next)]).toEqual([next, !refused]);
    }
  });
});
