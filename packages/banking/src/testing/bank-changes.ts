import { type RandomSource, utcDay } from "@purser/core";
import { day } from "@purser/core/testing";
import { type World, atBank, controls, idsOf, truthOf } from "./sandbox-world.ts";

/** Changes at the bank. Most of them are read only by a later step. */
export async function changeBank(world: World, chance: RandomSource): Promise<void> {
  for (let count = chance.whole(1, 5); count > 0; count -= 1)
    await (chance.happens(0.5) ? pay(world, chance) : alter(world, chance));
}

const descriptions = ["TESCO STORES", "CAFE NERO", "TFL TRAVEL"];

const someDay = ({ purser }: World, chance: RandomSource) => {
  const back = chance.pick([0, 0, 0, 1, 2, 3, 9, 20]);
  return new Date(purser.clock.now().getTime() - back * day);
};

/** Few different amounts and descriptions, so that duplicates are common. */
const someFields = (world: World, chance: RandomSource) => ({
  amount: chance.whole(1, 6) * 50,
  description: chance.pick(descriptions),
  date: someDay(world, chance),
});

async function pay(world: World, chance: RandomSource): Promise<void> {
  const state = {
    ...someFields(world, chance),
    type: chance.happens(0.8) ? ("DEBIT" as const) : ("CREDIT" as const),
    status: chance.happens(0.5) ? ("PENDING" as const) : ("POSTED" as const),
    category: chance.pick([null, "FOOD"]),
  };
  const account = idsOf(world).account(chance.whole(0, 4));
  const copies = chance.happens(0.2) ? 2 : 1;
  for (let copy = 0; copy < copies; copy += 1)
    await atBank(world, (target) =>
      controls.addBankTransaction(world.purser.platform, target, [account], state),
    );
}

async function alter(world: World, chance: RandomSource): Promise<void> {
  const { platform } = world.purser;
  const { listed } = await truthOf(world);
  const pending = listed.filter(({ status }) => status === "PENDING");
  const isPosting = pending.length > 0 && chance.happens(0.5);
  const one = chance.pick(isPosting ? pending : listed.slice(-15));
  const id = idsOf(world).transaction(one.transaction);
  const { amount, description, date } = someFields(world, chance);
  const change = chance.pick([
    { description },
    { category: "TRAVEL" },
    { date },
    { amount },
    { description, date },
  ]);
  await atBank(world, async (target) => {
    if (isPosting) {
      const tip = chance.happens(0.3) ? { amount: one.amount + 100 } : {};
      await controls.postBankTransaction(platform, target, id, { ...tip, date });
    } else if (chance.happens(0.3)) await controls.removeBankTransaction(platform, target, id);
    else {
      const changed = "date" in change ? { ...change, date: utcDay(date) } : change;
      await controls.changeBankTransaction(platform, target, id, changed);
    }
  });
}
