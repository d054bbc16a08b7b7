import type { Settings } from "@purser/platform/settings";
import type { AnyTRPCRouter } from "@trpc/server";
import { accounts } from "./banking/accounts.ts";
import { connections } from "./banking/connections.ts";
import { institutions } from "./banking/institutions.ts";
import { link } from "./banking/link.ts";
import { quarantine } from "./banking/quarantine.ts";
import { reports } from "./banking/reports.ts";
import { syncs } from "./banking/syncs.ts";
import { transactions } from "./banking/transactions.ts";
import { events as billingEvents } from "./billing/events.ts";
import { billing } from "./billing/index.ts";
import { plans } from "./billing/plans.ts";
import { cardholder } from "./cards/cardholder.ts";
import { cards } from "./cards/index.ts";
import { merchantCategories } from "./cards/merchant-categories.ts";
import { policies } from "./cards/policies.ts";
import { reports as cardReports } from "./cards/reports.ts";
import { transactions as cardTransactions } from "./cards/transactions.ts";
import { events } from "./events/index.ts";
import { keys } from "./keys.ts";
import { me } from "./me.ts";
import { audit } from "./organizations/audit.ts";
import { organizations } from "./organizations/index.ts";
import { invitations } from "./organizations/invitations.ts";
import { members } from "./organizations/members.ts";
import { settings } from "./organizations/settings.ts";
import { subscription } from "./organizations/subscription.ts";
import { banking as sandboxBanking } from "./sandbox/banking.ts";
import { billing as sandboxBilling } from "./sandbox/billing.ts";
import { cards as sandboxCards } from "./sandbox/cards.ts";
import { createCallerFactory, router } from "./trpc.ts";
import { deliveries } from "./webhook-endpoints/deliveries.ts";
import { webhookEndpoints } from "./webhook-endpoints/index.ts";

const procedures = {
  me,
  keys,
  events,
  webhookEndpoints: { ...webhookEndpoints, deliveries },
  cards: {
    ...cards,
    cardholder,
    merchantCategories,
    policies,
    transactions: cardTransactions,
    reports: cardReports,
  },
  banking: { institutions, link, connections, accounts, transactions, reports, syncs, quarantine },
  billing: { ...billing, plans, events: billingEvents },
  organizations: { ...organizations, members, invitations, subscription, settings, audit },
};

/** All procedures. The name of one is the same in tRPC, client, folder, REST tag and test title. */
export const appRouter = router({
  ...procedures,
  sandbox: { banking: sandboxBanking, cards: sandboxCards, billing: sandboxBilling },
});

const withoutSandbox = router(procedures);

/** Returns the router of a service. It has the sandbox controls only if the sandbox is on. */
export function routerOf({ sandbox }: Pick<Settings, "sandbox">): AnyTRPCRouter {
  return sandbox ? appRouter : withoutSandbox;
}

export type AppRouter = typeof appRouter;

/**
 * Calls procedures in process. A context serves one call, because it holds the metadata of its response, so pass a function
 * that creates one for each. A refusal is a `TRPCError`, whose problem `procedureProblem` returns.
 *
 * @example
 * const purser = createCaller(() => createContext(platform, request));
 * await purser.organizations.create({ name: "Acme" });
 */
export const createCaller = createCallerFactory(appRouter);
