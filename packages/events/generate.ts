import { readFile, writeFile } from "node:fs/promises";
import { Event } from "./src/contract.ts";
import {
  addStoredEvents,
  examplesOf,
  findMissingEvents,
  readStoredEvents,
  storedEventsFile,
} from "./src/testing/stored-events.ts";

/** Writes the list of events with an example each into docs/webhooks.md. */
const page = new URL("../../docs/webhooks.md", import.meta.url);
const [begin, end] = ["<!-- events:begin -->", "<!-- events:end -->"];

/** The decision on an increment of 8.00, after 62.00 on the same day. */
const approvedIncrement = {
  outcome: "approved",
  reason: null,
  requestedAmount: 800,
  approvedAmount: 800,
  limit: 15_000,
  used: 6200,
  remaining: 8800,
};

/** Only a bank, a network, a payment provider or a schedule makes them, and neither is an actor. */
const withoutActor =
  /^card_transaction\.|^bank_connection\.(synced|sync_failed|needs_|consent_)|^bank_(account|transactions)\.|^subscription\.(past_due|renewed)/;

/** What is special in the data of a type of event, and in its decision. Everything else is the example of its field. */
const special: Readonly<Record<string, { decision?: object } & Record<string, unknown>>> = {
  "bank_connection.disconnected": {
    status: "DISCONNECTED",
    consents: [
      {
        id: "consent-7f3a9c",
        status: "REVOKED",
        scopes: ["accounts", "balances", "transactions"],
        expiresAt: "2026-05-31T09:15:00.000Z",
        revokedAt: "2026-03-18T19:48:36.000Z",
      },
    ],
  },
  "card_transaction.declined": {
    status: "DECLINED",
    declineReason: "daily_limit_exceeded",
    // It was never approved.
    decision: { increments: [] },
  },
  "card_transaction.incremented": { amount: 7000, decision: approvedIncrement },
  "card_transaction.settled": { status: "COMPLETED", settledAt: "2026-03-20T04:12:09.000Z" },
  "card_transaction.refunded": {
    id: "ctx_01km3x8v2h0e5tq9c6rb4wm7pz",
    amount: -6200,
    status: "COMPLETED",
    settledAt: "2026-03-20T04:12:09.000Z",
  },
  "card_transaction.reversed": { status: "DECLINED", declineReason: "authorization_reversed" },
  "card_transaction.expired": { status: "DECLINED", declineReason: "authorization_expired" },
  "subscription.past_due": { status: "PAST_DUE" },
  "subscription.canceled": { status: "CANCELED", canceledAt: "2026-03-20T10:00:00.000Z" },
  "api_key.revoked": { revokedAt: "2026-03-18T19:48:36.000Z" },
  "webhook_endpoint.disabled": { status: "DISABLED", disabledReason: "An owner disabled it." },
};

interface Example {
  type: string;
  actor: object | null;
  subject: { id: string };
  data: { id?: string; decision?: object };
}

const sections = Event.options.map((contract) => {
  const { description = "" } = contract.meta() ?? {};
  const example = examplesOf(contract)[0] as Example;
  const { decision, ...fields } = special[example.type] ?? {};
  Object.assign(example.data, fields);
  if (decision !== undefined) Object.assign(example.data.decision!, decision);
  if (example.data.id !== undefined) example.subject.id = example.data.id;
  if (withoutActor.test(example.type)) example.actor = null;
  // The formatter keeps short lists on one line.
  const json = JSON.stringify(example, null, 2).replaceAll(
    /\[\n\s+((?:(?:"[^"]*"|\d+)(?:,\s+)?)+)\n\s+\]/g,
    (_, items: string) => `[${items.replaceAll(/,\s+/g, ", ")}]`,
  );
  return `<details><summary><code>${example.type}</code>: ${description}</summary>\n\n\`\`\`json\n${json}\n\`\`\`\n\n</details>\n`;
});

const text = await readFile(page, "utf8");
const before = text.slice(0, text.indexOf(begin) + begin.length);
const after = text.slice(text.indexOf(end));
await writeFile(page, `${before}\n\n${sections.join("\n")}\n${after}`);

/** Adds the events of new types and shapes to those that earlier versions have stored. */
const { text: stored, events } = readStoredEvents();
await writeFile(storedEventsFile, addStoredEvents(stored, findMissingEvents(events)));
