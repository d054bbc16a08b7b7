import { type CardPolicyDraft, type CardPurpose, type LimitInterval, maxLengthOf } from "@purser/client";
import type { UseFormReturnType } from "@mantine/form";
import { limitInWords } from "../../../data/card-labels.ts";
import { parseMoney, problemOfMoney } from "../../../data/format.ts";

/** Where the rules of a new card come from: a policy that exists, a limit, or a single shop. */
export type CardRules = "policy" | "limits" | "shop";

export interface NewCardValues {
  assignedToId: string;
  fundingAccountId: string;
  /** Of the funding account. The limit is in it. */
  currency: string;
  purpose: CardPurpose;
  nickname: string;
  rules: CardRules;
  policyId: string;
  /** In major units. */
  amount: string | number;
  interval: LimitInterval;
  shop: string;
}

/** A card for one shop is mostly for someone else, so that its holder is chosen. Others begin with who issues them. */
export const newCardValues = (rules: CardRules, userId: string): NewCardValues => ({
  assignedToId: rules === "shop" ? "" : userId,
  fundingAccountId: "",
  currency: "",
  purpose: rules === "shop" ? "ONLINE" : "BUSINESS",
  nickname: "",
  rules,
  policyId: "",
  amount: "",
  interval: "MONTHLY",
  shop: "",
});

export type NewCardForm = UseFormReturnType<NewCardValues>;

/** What is missing before the next step, by field. Null if nothing is. */
export function problemOfStep(step: number, values: NewCardValues): Record<string, string> | null {
  const { assignedToId, fundingAccountId, rules, policyId, amount, currency, shop } = values;
  const problems: Record<string, string> = {};
  if (step === 0) {
    if (assignedToId === "") problems["assignedToId"] = "Choose who holds the card";
    if (fundingAccountId === "") problems["fundingAccountId"] = "Choose the account that pays";
  } else if (rules === "policy") {
    if (policyId === "") problems["policyId"] = "Choose a policy";
  } else {
    const problem = amount === "" && rules === "shop" ? null : problemOfMoney(amount, currency);
    if (problem !== null) problems["amount"] = problem;
    if (rules === "shop" && shop.trim() === "") problems["shop"] = "Choose a shop or enter its name";
  }
  return Object.keys(problems).length === 0 ? null : problems;
}

/** The policy to create for the card. Null if it follows one that exists. */
export function policyOfRules(values: NewCardValues): (CardPolicyDraft & { name: string }) | null {
  const { rules, amount, interval, currency, shop } = values;
  if (rules === "policy") return null;
  const limit = parseMoney(amount, currency);
  const limits = limit === null ? [] : [{ amount: limit, interval }];
  const inWords = limit === null ? "" : limitInWords(limit, interval, currency);
  if (rules === "limits") return { name: inWords, limits };
  const name = limit === null ? `Only ${shop.trim()}` : `Only ${shop.trim()}, ${inWords}`;
  // A name may be shorter than a shop's.
  const length = maxLengthOf("cards.policies.create.name");
  return { name: name.slice(0, length), limits, allowedMerchants: [shop.trim()] };
}
