import type { RandomSource } from "@purser/core";
import type { LoadContext } from "../world.ts";
import { checkBanking } from "./banking.ts";
import { checkBilling } from "./billing.ts";
import { checkCards } from "./cards.ts";
import { checkOrganizations } from "./organizations.ts";
import { checkAudit, checkEvents, checkJobs, checkRepetition } from "./records.ts";

/** Compares the stored state with the acknowledged state, while nothing else runs. */
export async function checkAll(world: LoadContext, chance: RandomSource): Promise<void> {
  await checkRepetition(world, chance);
  for (const tenant of world.ledger.tenants) {
    await checkOrganizations(world, tenant);
    await checkCards(world, tenant);
    await checkBanking(world, tenant);
  }
  await checkBilling(world);
  await checkAudit(world);
  await checkEvents(world);
  await checkJobs(world);
}
