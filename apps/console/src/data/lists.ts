import { purser } from "./purser.ts";
import { wholeList } from "./whole-list.ts";

/** All cards of an organization that the person may see. */
export const allCards = (organizationId: string) => wholeList(purser.cards.list, { organizationId });

/** All policies of an organization. */
export const allPolicies = (organizationId: string) =>
  wholeList(purser.cards.policies.list, { organizationId });
