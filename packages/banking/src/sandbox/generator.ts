import { type RandomSource, addToDay, createRandom } from "@purser/core";
import type { TransactionType } from "../ports.ts";
import type { AccountPlan } from "./accounts.ts";
import { isLastOfMonth, weekdayOf } from "./days.ts";
import type { SandboxInstitution } from "./institutions.ts";
import { type SandboxMerchant, merchantsOf } from "./merchants.ts";
import { type StandingOrders, directDebitsOn, standingOrders } from "./standing-orders.ts";

/** Identifies a customer. All activity derives from these two values. */
export interface Customer {
  institution: SandboxInstitution;
  name: string;
}

/** A transaction in an account on a day. */
export interface Movement {
  account: number;
  /** In minor units, 0 or more. */
  amount: number;
  type: TransactionType;
  description: string;
  category: string | null;
  /** A card payment is pending until this day. Null if the transaction is posted at once. */
  settlesOn: string | null;
}

/** A movement in pence, before conversion to the account's currency. */
interface Draft extends Omit<Movement, "account" | "amount" | "settlesOn"> {
  pence: number;
  settlesOn?: string;
}

/**
 * Generates the activity of one day in an account with this booked balance, in minor units. It is deterministic for
 * customer, day and balance. Only interest and card repayments depend on the balance.
 */
export function movementsOn(
  customer: Customer,
  plan: AccountPlan,
  day: string,
  booked: (role: AccountPlan["role"]) => number,
): Movement[] {
  const chance = createRandom("day", customer.institution.id, customer.name, plan.account, day);
  const orders = standingOrders(customer.institution.id, customer.name);
  const scene: Scene = { customer, day, chance, orders, booked: (role) => booked(role) / plan.perPenny };
  return draftsOf[plan.role](scene)
    .filter((draft) => draft.pence > 0)
    .map(({ pence, settlesOn = null, ...fields }) => ({
      ...fields,
      settlesOn,
      account: plan.account,
      amount: Math.max(1, Math.round(pence * plan.perPenny)),
    }));
}

interface Scene {
  customer: Customer;
  day: string;
  chance: RandomSource;
  orders: StandingOrders;
  /** The posted balance in pence, not rounded, so that a repayment clears a card to the last minor unit. */
  booked: (role: AccountPlan["role"]) => number;
}

const draftsOf: Record<AccountPlan["role"], (scene: Scene) => Draft[]> = {
  current: (scene) => [
    ...directDebitsOn(scene.day, scene.orders),
    ...clearedCard(scene, "DEBIT", `DIRECT DEBIT ${scene.customer.institution.products.card.toUpperCase()}`),
    ...surplus(scene, "DEBIT", "TRANSFER TO SAVINGS"),
    ...payments(scene, [3, 3, 3, 3, 4, 6, 6][weekdayOf(scene.day)]!),
    ...betweenPeople(scene),
  ],
  saver: (scene) => [
    ...(scene.day.endsWith("-26")
      ? [credit("STANDING ORDER FROM CURRENT ACCOUNT", "TRANSFER", scene.orders.saved)]
      : []),
    ...surplus(scene, "CREDIT", "TRANSFER FROM CURRENT ACCOUNT"),
    ...(isLastOfMonth(scene.day)
      ? [credit("GROSS INTEREST", "INTEREST", scene.booked("saver") * (0.041 / 12))]
      : []),
  ],
  card: (scene) => [
    ...clearedCard(scene, "CREDIT", "PAYMENT RECEIVED - THANK YOU"),
    ...payments(scene, scene.chance.happens(0.35) ? 1 : 0),
  ],
  portfolio: ({ day, orders, chance, booked }) => [
    ...(day.endsWith("-27") ? [credit("REGULAR CONTRIBUTION", "INVESTMENT", orders.invested)] : []),
    ...(/-(03|06|09|12)-15$/.test(day)
      ? [credit(`DIVIDEND ${chance.pick(funds)}`, "INVESTMENT", booked("portfolio") * 0.007)]
      : []),
    ...(day.endsWith("-02") ? [debit("PLATFORM FEE", "FEES", booked("portfolio") * 0.0002)] : []),
  ],
  abroad: (scene) => [
    ...(scene.day.endsWith("-28") ? [credit("CURRENCY TRANSFER IN", "TRANSFER", 12_000)] : []),
    // One week of vacation in spring, and one in autumn.
    ...(/-(04|10)-(0[89]|1[0-4])$/.test(scene.day) ? payments(scene, 2) : []),
  ],
};

const funds = ["GLOBAL ALL CAP FUND", "WORLD INDEX ETF", "EQUITY INCOME TRUST"];

/** The card is paid off in full on the 15th. */
function clearedCard({ day, booked }: Scene, type: TransactionType, description: string): Draft[] {
  return day.endsWith("-15") ? [{ type, description, category: "TRANSFER", pence: -booked("card") }] : [];
}

/** On the 28th, the surplus moves to the savings account. */
function surplus({ day, booked }: Scene, type: TransactionType, description: string): Draft[] {
  const pence = Math.floor((booked("current") - comfortablePence) / 10_000) * 10_000;
  return day.endsWith("-28") ? [{ type, description, category: "TRANSFER", pence }] : [];
}

const comfortablePence = 350_000;
const scarcePence = 80_000;

function payments({ customer, day, chance, booked }: Scene, upTo: number): Draft[] {
  // With little money left before payday, people buy only essentials.
  const isShort = booked("current") < scarcePence;
  const most = isShort ? Math.min(1, upTo) : upTo;
  const merchants = merchantsOf(customer.institution.country).filter((one) => !isShort || one.most < 3000);
  const count = chance.whole(Math.min(1, most), most);
  return Array.from({ length: count }, () => payment(chance, chance.pick(merchants), day));
}

function payment(chance: RandomSource, { name, category, least, most }: SandboxMerchant, day: string): Draft {
  // Small amounts are more common than large ones.
  const pence = least + Math.round((most - least) * chance.fraction() ** 4);
  const settlesOn = addToDay(day, chance.happens(0.6) ? 1 : 2);
  return { ...debit(`${name} ${chance.digits(4)}`, category, pence), settlesOn };
}

const payees = ["FLAT SHARE", "BOOK CLUB", "FIVE A SIDE", "GIFT COLLECTION", "CAR POOL", "ALLOTMENT"];

function betweenPeople({ chance }: Scene): Draft[] {
  if (chance.happens(0.04))
    return [credit(`FASTER PAYMENT ${chance.pick(payees)}`, "TRANSFER", chance.whole(500, 6000))];
  if (chance.happens(0.05))
    return [debit(`TRANSFER TO ${chance.pick(payees)}`, "TRANSFER", chance.whole(500, 4500))];
  if (chance.happens(0.05)) return [debit("CASH WITHDRAWAL", "CASH", chance.pick([1000, 2000, 3000, 5000]))];
  if (chance.happens(0.01)) return [credit("REFUND AMZN MKTP*", "SHOPPING", chance.whole(899, 4500))];
  // Checks have no description of their purpose.
  if (chance.happens(0.004)) return [debit(`CHEQUE ${chance.digits(6)}`, null, chance.whole(2000, 15_000))];
  return [];
}

const credit = (description: string, category: string | null, pence: number): Draft => ({
  type: "CREDIT",
  description,
  category,
  pence: Math.round(pence),
});

const debit = (description: string, category: string | null, pence: number): Draft => ({
  ...credit(description, category, pence),
  type: "DEBIT",
});
