import type { Chance } from "@purser/core";
import { checkBanking } from "./invariants/banking.ts";
import { checkBilling } from "./invariants/billing.ts";
import { checkCards } from "./invariants/cards.ts";
import { checkOrganizations } from "./invariants/organizations.ts";
import { checkAudit, checkEvents, checkJobs, checkRepetition } from "./invariants/records.ts";
import type { World } from "./world.ts";

/** Compares what is there with what was acknowledged. Nothing is under way meanwhile. */
export async function checkAll(world: World, chance: Chance): Promise<void> {
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
