import { addToDay, createRandom } from "@purser/core";
import type { TransactionType } from "../ports.ts";
import { weekdayOf } from "./days.ts";

/** Monthly income and payments, in pence. */
export interface StandingOrders {
  salary: number;
  employer: string;
  rent: number;
  saved: number;
  invested: number;
}

interface MonthlyMovement {
  type: TransactionType;
  description: string;
  category: string | null;
  pence: number;
}

const employers = [
  "BRIGHTWATER DESIGN LTD",
  "NORTHGATE LOGISTICS",
  "FERNHILL SCHOOL TRUST",
  "ORBIT SOFTWARE",
];

/** A customer's standing orders. They are the same every month. */
export function standingOrders(institutionId: string, customerName: string): StandingOrders {
  const chance = createRandom("standing orders", institutionId, customerName);
  return {
    salary: chance.whole(2950, 3650) * 100,
    employer: chance.pick(employers),
    rent: chance.whole(195, 245) * 500,
    saved: chance.whole(3, 7) * 5000,
    invested: chance.whole(1, 4) * 5000,
  };
}

/** The standing orders of a current account that are due on a day of the month. */
export function directDebitsOn(day: string, orders: StandingOrders): MonthlyMovement[] {
  const due = monthly[day.slice(8)];
  const bills = due === undefined ? [] : [due(orders)];
  return isPayday(day) ? [...bills, salaryOf(orders)] : bills;
}

const salaryOf = ({ salary, employer }: StandingOrders): MonthlyMovement => ({
  type: "CREDIT",
  description: `BACS ${employer} SALARY`,
  category: "INCOME",
  pence: salary,
});

const bill = (description: string, category: string, pence: number): MonthlyMovement => ({
  type: "DEBIT",
  description,
  category,
  pence,
});

const monthly: Record<string, (orders: StandingOrders) => MonthlyMovement> = {
  "01": ({ rent }) => bill("STANDING ORDER RENT", "RENT", rent),
  "03": () => bill("DD PUREGYM LTD", "HEALTH", 2499),
  "05": () => bill("DD COUNCIL TAX", "UTILITIES", 14_600),
  "09": () => bill("DD NETFLIX.COM", "ENTERTAINMENT", 1099),
  "12": () => bill("DD OCTOPUS ENERGY", "UTILITIES", 9850),
  "18": () => bill("DD BROADBAND", "UTILITIES", 3200),
  "20": () => bill("DD MOBILE PLAN", "UTILITIES", 1400),
  "26": ({ saved }) => bill("STANDING ORDER TO SAVINGS", "TRANSFER", saved),
  "27": ({ invested }) => bill("STANDING ORDER TO INVESTMENTS", "INVESTMENT", invested),
};

/** Salaries are paid on the 25th, or on the Friday before if that is a weekend. */
function isPayday(day: string): boolean {
  const weekday = weekdayOf(day);
  if (weekday === 0 || weekday === 6) return false;
  const paid = day.slice(8) === "25";
  return paid || (weekday === 5 && [addToDay(day, 1), addToDay(day, 2)].some((next) => next.endsWith("-25")));
}
