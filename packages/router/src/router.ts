import type { AnyTRPCRouter } from "@trpc/server";
import { accounts } from "./banking/accounts/router.ts";
import { connections } from "./banking/connections/router.ts";
import { institutions } from "./banking/institutions/router.ts";
import { link } from "./banking/link/router.ts";
import { syncs } from "./banking/syncs/router.ts";
import { transactions } from "./banking/transactions/router.ts";
import { events } from "./billing/events/router.ts";
import { plans } from "./billing/plans/router.ts";
import { billing } from "./billing/router.ts";
import { policies } from "./cards/policies/router.ts";
import { cards } from "./cards/router.ts";
import { transactions as cardTransactions } from "./cards/transactions/router.ts";
import { audit } from "./organizations/audit/router.ts";
import { invitations } from "./organizations/invitations/router.ts";
import { members } from "./organizations/members/router.ts";
import { organizations } from "./organizations/router.ts";
import { settings } from "./organizations/settings/router.ts";
import { subscription } from "./organizations/subscription/router.ts";
import type { Settings } from "./platform/settings.ts";
import { banking as sandboxBanking } from "./sandbox/banking/router.ts";
import { billing as sandboxBilling } from "./sandbox/billing/router.ts";
import { cards as sandboxCards } from "./sandbox/cards/router.ts";
import { createCallerFactory, router } from "./trpc.ts";

const procedures = {
  cards: { ...cards, policies, transactions: cardTransactions },
  banking: { institutions, link, connections, accounts, transactions, syncs },
  billing: { ...billing, plans, events },
  organizations: { ...organizations, members, invitations, subscription, settings, audit },
};

/** Every procedure there is. A name here is its address everywhere: tRPC, client, folder, REST tag, test. */
export const appRouter = router({
  ...procedures,
  sandbox: { banking: sandboxBanking, cards: sandboxCards, billing: sandboxBilling },
});

const withoutSandbox = router(procedures);

/** What a service answers: the controls of the sandbox only where there is one. */
export function routerOf({ sandbox }: Pick<Settings, "sandbox">): AnyTRPCRouter {
  return sandbox ? appRouter : withoutSandbox;
}

export type AppRouter = typeof appRouter;

/** The way in without a transport: `createCaller(context).organizations.create({ name })`. */
export const createCaller = createCallerFactory(appRouter);
