// @module-tag slow
import { isNightly } from "@purser/testing";
import { describe } from "vitest";
import { accountJourneys } from "./testing/journeys/account.ts";
import { bankJourneys } from "./testing/journeys/banks.ts";
import { cardJourneys } from "./testing/journeys/cards.ts";
import { shellJourneys } from "./testing/journeys/shell.ts";
import { leavingJourneys } from "./testing/journeys/leaving.ts";
import { organizationJourneys } from "./testing/journeys/organization.ts";
import { visitsOfPages } from "./testing/journeys/pages.ts";
import { peopleJourneys } from "./testing/journeys/people.ts";
import { policyJourneys } from "./testing/journeys/policies.ts";
import { sandboxJourneys } from "./testing/journeys/sandbox.ts";
import { sessionJourneys } from "./testing/journeys/session.ts";
import { transactionJourneys } from "./testing/journeys/transactions.ts";

const journeys = [
  ["people", peopleJourneys],
  ["banks", bankJourneys],
  ["transactions", transactionJourneys],
  ["cards", cardJourneys],
  ["an organization", organizationJourneys],
  ["the shell", shellJourneys],
  ["leaving a page", leavingJourneys],
  ["every page", visitsOfPages],
] as const;
const nightlyJourneys = [
  ["an account", accountJourneys],
  ["policies", policyJourneys],
  ["a session", sessionJourneys],
  ["the sandbox", sandboxJourneys],
] as const;

// One file, because a console costs more to start than most journeys: the service, the demo data and a browser.
// In the suite they run at once, since a page mostly waits. The nightly profile makes each twice, with the same data.
const concurrently = isNightly ? describe : describe.concurrent;
// Each step has a limit of its own. On a busy machine, many steps together may take longer than other tests may.
const options = { timeout: 600_000 };
concurrently.each([...journeys, ...(isNightly ? nightlyJourneys : [])])("%s", options, (_, register) => {
  register();
});
