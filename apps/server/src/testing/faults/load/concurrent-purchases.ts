import type { TenantCard } from "../acknowledged-state.ts";
import type { Workload } from "../load-context.ts";
import { createLoadPolicy, issueCard } from "./cards.ts";
import { requestAuthorization, reverse } from "./purchases.ts";

const amount = 100;
/** The number of purchases that the limit allows. */
const allowed = 5;
const attempts = 12;

/** Sends more concurrent purchases than one card's limit allows, then reverses them. */
export const concurrentPurchaseWorkload: Workload = (context, tenant) => {
  let card: TenantCard | undefined;
  return async () => {
    card ??= await issueCard(
      context,
      tenant,
      await createLoadPolicy(context, tenant, { limit: allowed * amount, interval: "MONTHLY" }),
    );
    const purchases = Array.from({ length: attempts }, () =>
      requestAuthorization(context, tenant, { card: card!, amount }),
    );
    const held = (await Promise.all(purchases)).filter(({ status }) => status === "PENDING");
    if (held.length > allowed)
      context.reportViolation(`${held.length} purchases were approved, and the limit allows ${allowed}`);
    for (const purchase of held) await reverse(context, tenant, purchase);
  };
};
