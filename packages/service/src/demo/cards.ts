import type { CreateCard } from "@purser/cards";
import type { CreatePolicy } from "@purser/cards/policies";
import type { CardChannel } from "@purser/cards/transactions";
import type { z } from "zod";

export interface DemoCard {
  nickname: string;
  purpose: z.infer<typeof CreateCard>["purpose"];
  policy: Omit<z.input<typeof CreatePolicy>, "organizationId">;
  purchases: {
    daysAgo: number;
    /** In minor units of the card's currency. */
    amount: number;
    channel: z.infer<typeof CardChannel>;
    name: string;
    category: string;
    country: string;
  }[];
}

/** The demo's cards, each with its policy and its purchases. */
export const demoCards: readonly DemoCard[] = [
  {
    nickname: "Subscriptions",
    purpose: "SUBSCRIPTION",
    policy: {
      name: "Software",
      description: "Software and hosting, up to £400 a month, no ATM withdrawals",
      spendingLimit: 40_000,
      limitInterval: "MONTHLY",
      allowAtm: false,
      merchantCategories: ["5734", "5817", "4816", "7372"],
    },
    purchases: [
      {
        daysAgo: 40,
        amount: 4_900,
        channel: "online",
        name: "Cloudstack Hosting",
        category: "4816",
        country: "GB",
      },
      {
        daysAgo: 33,
        amount: 1_200,
        channel: "online",
        name: "Letterpress Mail",
        category: "5734",
        country: "GB",
      },
      {
        daysAgo: 10,
        amount: 4_900,
        channel: "online",
        name: "Cloudstack Hosting",
        category: "4816",
        country: "GB",
      },
      { daysAgo: 8, amount: 2_650, channel: "online", name: "Bakery Row", category: "5462", country: "GB" },
      {
        daysAgo: 1,
        amount: 1_200,
        channel: "online",
        name: "Letterpress Mail",
        category: "5734",
        country: "GB",
      },
      // Nearly all of the month's limit, so that the overview has something to attend to.
      {
        daysAgo: 0,
        amount: 33_600,
        channel: "online",
        name: "Drafting Suite",
        category: "5734",
        country: "GB",
      },
    ],
  },
  {
    nickname: "Travel",
    purpose: "BUSINESS",
    policy: {
      name: "Travel",
      description: "Up to £150 a day and £6,000 a year, at home and in other countries, no gambling",
      limits: [
        { amount: 15_000, interval: "DAILY" },
        { amount: 600_000, interval: "YEARLY" },
      ],
      blockedMerchantCategories: ["betting_casino_gambling"],
    },
    purchases: [
      {
        daysAgo: 21,
        amount: 8_640,
        channel: "online",
        name: "Northline Railways",
        category: "4112",
        country: "GB",
      },
      {
        daysAgo: 21,
        amount: 1_435,
        channel: "in_store",
        name: "Platform Coffee",
        category: "5814",
        country: "GB",
      },
      {
        daysAgo: 20,
        amount: 11_900,
        channel: "online",
        name: "Quayside Hotel",
        category: "7011",
        country: "NL",
      },
      {
        daysAgo: 20,
        amount: 6_200,
        channel: "in_store",
        name: "Restaurant De Haven",
        category: "5812",
        country: "NL",
      },
      { daysAgo: 2, amount: 2_310, channel: "in_store", name: "City Taxis", category: "4121", country: "GB" },
      {
        daysAgo: 0,
        amount: 3_000,
        channel: "atm",
        name: "Sandbox Bank Cash",
        category: "6011",
        country: "GB",
      },
    ],
  },
];
