import type { HeldCard } from "../ledger.ts";
import type { Role } from "../world.ts";
import { createPolicy, issueCard } from "./cards.ts";
import { authorize, reverse } from "./purchases.ts";

const amount = 100;
const room = 5;
const atOnce = 12;

/** Sends many concurrent purchases for the small rest of one card's limit, then reverses them. */
export const racing: Role = (world, tenant) => {
  let card: HeldCard | undefined;
  return async () => {
    card ??= await issueCard(
      world,
      tenant,
      await createPolicy(world, tenant, { limit: room * amount, interval: "MONTHLY" }),
    );
    const purchases = Array.from({ length: atOnce }, () => authorize(world, tenant, { card: card!, amount }));
    const held = (await Promise.all(purchases)).filter(({ status }) => status === "PENDING");
    if (held.length > room)
      world.complain(`${held.length} purchases were approved where there is room for ${room}`);
    for (const purchase of held) await reverse(world, tenant, purchase);
  };
};
