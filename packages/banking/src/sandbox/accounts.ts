import { createRandom } from "@purser/core";
import type { AccountType } from "../ports.ts";
import { type AccountNumber, referenceOnly } from "./account-numbers.ts";
import type { SandboxInstitution } from "./institutions.ts";

/** The purpose of an account. */
export type AccountRole = "current" | "saver" | "card" | "portfolio" | "abroad";

/** An account that every customer of an institution has. */
export interface AccountPlan {
  /** Its position among the customer's accounts. */
  account: number;
  role: AccountRole;
  name: string;
  type: AccountType;
  currency: string;
  perPenny: number;
  /** The balance before its history begins, in minor units. */
  opening: number;
  /** The credit limit, in minor units. */
  creditLimit: number;
}

const plans: readonly { role: AccountRole; type: AccountType; openingPence: number }[] = [
  { role: "current", type: "CHECKING", openingPence: 184_250 },
  { role: "saver", type: "SAVINGS", openingPence: 520_000 },
  { role: "card", type: "CREDIT", openingPence: -21_740 },
  { role: "portfolio", type: "INVESTMENT", openingPence: 1_250_000 },
  { role: "abroad", type: "CHECKING", openingPence: 64_000 },
];

const creditLimitPence = 400_000;

/** The accounts that every customer of an institution has, in their order. */
export function accountPlansOf(institution: SandboxInstitution): AccountPlan[] {
  return plans.map(({ role, type, openingPence }, account) => {
    const { currency, perPenny } = role === "abroad" ? institution.abroad : institution;
    const opening = Math.round(openingPence * perPenny);
    const creditLimit = role === "card" ? Math.round(creditLimitPence * perPenny) : 0;
    return {
      account,
      role,
      name: institution.products[role],
      type,
      currency,
      perPenny,
      opening,
      creditLimit,
    };
  });
}

/** The number of a customer's account. It is the same under every consent. */
export function numberOf(
  institution: SandboxInstitution,
  customerName: string,
  plan: AccountPlan,
): AccountNumber {
  const chance = createRandom("number", institution.id, customerName, plan.account);
  const isPayable = plan.type === "CHECKING" || plan.type === "SAVINGS";
  return (isPayable ? institution.numbering : referenceOnly)(chance);
}
