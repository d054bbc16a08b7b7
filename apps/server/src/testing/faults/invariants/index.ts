import type { RandomSource } from "@purser/core";
import type { LoadContext } from "../load-context.ts";
import { checkBanking } from "./banking.ts";
import { checkBilling } from "./billing.ts";
import { checkCards } from "./cards.ts";
import { checkFollowedEvents } from "./followed-events.ts";
import { checkOrganizations } from "./organizations.ts";
import { checkAudit, checkEvents, checkJobs, checkReplays } from "./records.ts";

/** Compares the stored state with the acknowledged state, while nothing else runs. */
export async function checkAll(context: LoadContext, random: RandomSource): Promise<void> {
  await checkReplays(context, random);
  for (const tenant of context.state.tenants) {
    await checkOrganizations(context, tenant);
    await checkCards(context, tenant);
    await checkBanking(context, tenant);
  }
  await checkBilling(context);
  await checkAudit(context);
  await checkEvents(context);
  await checkFollowedEvents(context);
  await checkJobs(context);
}
