import type { CardMessage } from "@purser/cards/ports";
import { type CardFixture, type TestCard, createCardFixture, reportMessages } from "@purser/cards/testing";
import { cardTransactions } from "@purser/db";
import { fakeLithicPurchase } from "@purser/lithic/fake";
import { lithicWebhooks } from "@purser/lithic/webhooks";
import { type TestPurser, createTestPurser } from "@purser/testing";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let purser: TestPurser;
let fixture: CardFixture;

beforeAll(async () => {
  purser = await createTestPurser();
  fixture = await createCardFixture(purser);
});
afterAll(() => purser.close());

const declined = { status: "DECLINED", result: "DECLINED" } as const;
const kinds = {
  purchase: { status: "AUTHORIZATION", declinedBy: "AUTHORIZATION_ADVICE" },
  withdrawal: { status: "FINANCIAL_AUTHORIZATION", declinedBy: "CLEARING" },
} as const;

/** A request that Lithic approved and the network then declined, and the updates before and after. */
function declinedByNetwork(card: string, kind: keyof typeof kinds) {
  const { status, declinedBy } = kinds[kind];
  const purchase = fakeLithicPurchase({ card, amount: 500, currency: "GBP", status });
  const request = purchase.request();
  if (status === "AUTHORIZATION") purchase.happen(status, 500, { held: 500 });
  else purchase.happen(status, 500, { status: "SETTLED" });
  const approved = purchase.update();
  purchase.happen(declinedBy, 500, declined);
  return { request, approved, declined: purchase.update() };
}

type Story = ReturnType<typeof declinedByNetwork>;

/** What arrives of a story, with the resulting ledger: reason and status of each transaction. */
const stories: [string, keyof typeof kinds, (story: Story) => object[], string[]][] = [
  [
    "a purchase",
    "purchase",
    ({ request, declined: update }) => [request, update],
    ["DECLINED 500 decision_timed_out"],
  ],
  [
    "a purchase after the update of its approval",
    "purchase",
    ({ request, approved, declined: update }) => [request, approved, update],
    ["DECLINED 500 decision_timed_out"],
  ],
  [
    "a purchase whose request never arrived",
    "purchase",
    ({ approved, declined: update }) => [approved, update],
    ["DECLINED 500 authorization_reversed"],
  ],
  [
    "a purchase of which nothing else arrived",
    "purchase",
    ({ declined: update }) => [update],
    ["DECLINED 500 decision_timed_out"],
  ],
  [
    "a withdrawal",
    "withdrawal",
    ({ request, declined: update }) => [request, update],
    ["DECLINED 500 decision_timed_out"],
  ],
  [
    "a withdrawal after the update of its approval",
    "withdrawal",
    ({ request, approved, declined: update }) => [request, approved, update],
    ["COMPLETED -500", "COMPLETED 500"],
  ],
  [
    "a withdrawal whose request never arrived",
    "withdrawal",
    ({ approved, declined: update }) => [approved, update],
    ["COMPLETED -500", "COMPLETED 500"],
  ],
];

/** Returns the messages of a request or an update. */
async function read(event: object): Promise<CardMessage[]> {
  const webhooks = lithicWebhooks([]);
  const { event_type: type = "" } = event as { event_type?: string };
  const received = { type, body: JSON.stringify(event), receivedAt: purser.clock.now() };
  return webhooks.isRequest(type) ? [webhooks.readRequest(received) as CardMessage] : webhooks.read(received);
}

async function ledgerOf({ id }: TestCard): Promise<string[]> {
  const rows = await purser.db.select().from(cardTransactions).where(eq(cardTransactions.cardId, id));
  return rows
    .map(({ status, amount, declineReason }) => [status, amount, declineReason].filter(Boolean).join(" "))
    .toSorted();
}

describe("a decline by the network in Lithic's place", () => {
  it.each(stories)("ends %s", async (_, kind, eventsOf, ledger) => {
    const card = await fixture.card({ spendingLimit: 1000 });
    const messages = await Promise.all(eventsOf(declinedByNetwork(card.reference, kind)).map(read));
    for (const event of [...messages, ...messages.slice(-1)]) await reportMessages(purser.platform, ...event);
    expect(await ledgerOf(card)).toEqual(ledger);
  });
});
