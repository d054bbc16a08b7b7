import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type BankProvider, BankError, type ReportUnreadable } from "@purser/banking/ports";
import { errorText } from "@purser/core";
import { testClock } from "@purser/core/testing";
import { yapilyBank } from "../../../../../packages/providers/yapily/src/bank.ts";
import { exampleResponse, readDescription, variantsOf } from "./descriptions.ts";
import { type Message, textAt } from "./messages.ts";
import type { Outcome } from "./webhooks.ts";

interface Reading {
  bank: BankProvider;
  /** The response as published. */
  published: Message;
  report: ReportUnreadable;
}

const access = { organizationId: "org_1", institutionId: "bank", consentId: "consent", token: "token" };

/** How the adapter reads each response that has an example. */
const reads: Readonly<Record<string, (reading: Reading) => Promise<unknown[]>>> = {
  "/institutions": ({ bank }) => bank.institutions({}),
  "/consents/{consentId}": async ({ bank, published }) => [
    await bank.consentStatus({
      organizationId: textAt(published, "data", "applicationUserId") ?? "",
      institutionId: textAt(published, "data", "institutionId") ?? "",
      consentId: textAt(published, "data", "id") ?? "",
      token: "token",
    }),
  ],
  "/accounts": ({ bank, report }) => bank.accounts(access, report),
  "/accounts/{accountId}/balances": ({ bank, report }) => bank.accounts(access, report),
  "/accounts/{accountId}/transactions": async ({ bank, report }) => {
    if (bank.feed.kind !== "window") throw new Error("Yapily lists transactions by days");
    const { signal } = new AbortController();
    // Earlier rows are left out.
    const rows: unknown[] = [];
    for await (const page of bank.feed.transactions(access, "1", "2000-01-01", signal, report)) {
      rows.push(...page);
    }
    return rows;
  },
};

/** An account without balances, so that they are read by themselves. */
const bareAccount = { data: [{ id: "1", currency: "GBP" }] };

/** Answers requests with the responses in Yapily's description, and has the adapter read them and their variants. */
export async function readYapilyExamples(folder: string): Promise<Outcome> {
  const description = readDescription(folder, "yapily/yapily-openapi/openapi.json");
  let answers: Record<string, unknown> = {};
  const api = createServer((request, response) => {
    const path = (request.url ?? "").split("?")[0]!.replace(/^\/(account|consent)s\/[^/]+/, "/$1s/{$1Id}");
    response.setHeader("content-type", "application/json");
    request.resume().on("end", () => response.end(JSON.stringify(answers[path] ?? {})));
  });
  api.listen(0, "127.0.0.1");
  await once(api, "listening");
  const baseUrl = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
  const outcome: Outcome = {
    vendor: "yapily",
    area: "banking",
    examples: 0,
    variants: 0,
    counts: {},
    problems: new Map(),
  };
  const read = async (path: string, published: Message, change: string, message: unknown) => {
    answers = { "/accounts": bareAccount, "/institutions": { data: [] }, [path]: message };
    // A new one each time, because it caches institutions.
    const bank = yapilyBank({ applicationId: "id", applicationSecret: "key", baseUrl, clock: testClock() });
    const { state, problem } = await stateOf((report) => reads[path]!({ bank, published, report }));
    outcome.counts[state] = (outcome.counts[state] ?? 0) + 1;
    if (problem === null || (state !== "FAILED" && change !== "as published")) return;
    const key = `${path}: ${problem}`;
    outcome.problems.set(key, [...(outcome.problems.get(key) ?? []), change]);
  };
  try {
    for (const path of Object.keys(reads)) {
      const found = description && exampleResponse(description, path);
      if (!found) continue;
      const published = found.example as Message;
      const variants = variantsOf(description, found.schema, published);
      outcome.examples += 1;
      outcome.variants += variants.length;
      await read(path, published, "as published", published);
      for (const { change, message } of variants) await read(path, published, change, message);
    }
  } finally {
    api.closeAllConnections();
    api.close();
  }
  return outcome;
}

/** A response is read, or an item of it is quarantined, or the whole is refused for a named reason. */
async function stateOf(read: (report: ReportUnreadable) => Promise<unknown[]>) {
  const problems: string[] = [];
  try {
    const items = await read(({ problem }) => problems.push(problem));
    if (items.length === 0 && problems.length === 0) return { state: "EMPTY", problem: "Nothing is read" };
  } catch (error) {
    return { state: BankError.is(error) ? "REFUSED" : "FAILED", problem: errorText(error) };
  }
  const [problem = null] = problems;
  return { state: problem === null ? "READ" : "QUARANTINED", problem };
}
