import type { KeyObject } from "node:crypto";
import { sandboxSecret, signSandboxEvent } from "@purser/platform/inbox";
import { measureCalls } from "../calls.ts";
import { measurePosts } from "../load.ts";
import { reportLine, recordGoal } from "../report.ts";
import { measureTable } from "../table.ts";
import { rawDecisions } from "./hand-written.ts";
import { type Issued, issueCards, purchasesOf, useCards } from "./setup.ts";
import { newSecrets, startServiceTarget } from "../whole-service.ts";

/** The goal as a share of the rate of the same statements alone, one purchase at a time. */
const goal = 0.5;
/** The goal in milliseconds, with this many connections. */
const p99Goal = 25;
const atOnce = 32;

/** Compares decisions over HTTP, on the sandbox network's webhook, with their statements alone. */
export async function decisions(): Promise<void> {
  const secrets = newSecrets();
  const issued = await issueCards(1000, secrets);
  await useCards(issued);
  const target = await startServiceTarget(issued.purser.platform.settings.databaseUrl!, secrets);
  try {
    const url = `${target.baseUrl}/api/webhooks/cards/sandbox`;
    const secret = sandboxSecret(secrets, "cards");
    for (const [title, cardIds] of [
      ["Deciding on purchases of 1,000 cards", issued.cardIds],
      ["Deciding on purchases of one card", issued.cardIds.slice(0, 1)],
    ] as const) {
      await compare(title, { issued, cardIds, url, secret });
    }
  } finally {
    await target.stop();
    await issued.close();
  }
}

interface DecisionTarget {
  issued: Issued;
  cardIds: string[];
  url: string;
  secret: KeyObject;
}

async function compare(title: string, { issued, cardIds, url, secret }: DecisionTarget): Promise<void> {
  const limit = "the same statements, by the driver";
  const raw = await rawDecisions(issued, cardIds);
  const purchase = purchasesOf(issued, cardIds);
  const next = () => {
    const body = JSON.stringify(purchase());
    const headers = signSandboxEvent(secret, Buffer.from(body), new Date());
    return { body, headers: Object.fromEntries(headers) };
  };
  const expected = JSON.stringify({ approved: true, reason: null });
  const [, overHttp] = await measureTable(
    title,
    limit,
    [
      [limit, () => measureCalls(raw.decide, atOnce)],
      ["signed requests to the whole service", () => measurePosts(url, next, { atOnce, expected }), goal],
    ],
    atOnce,
  );
  await raw.close();
  const verdict = recordGoal({
    what: `${title}: p99 with ${atOnce} connections`,
    measured: `${overHttp!.p99} ms`,
    goal: `under ${p99Goal} ms`,
    holds: overHttp!.p99 < p99Goal,
  });
  reportLine(`p99 under ${p99Goal} ms with ${atOnce} connections: ${verdict}`);
}
