import type { BankAccountHooks } from "@purser/banking";
import { findFundingAccount } from "@purser/banking/accounts";
import type { OrganizationHooks } from "@purser/organizations";
import type { Platform } from "@purser/platform";
import type { EventPlatform } from "@purser/platform/events";
import { eraseCardholders } from "./cardholder/store.ts";
import { recordCardChange } from "./feed-events/service.ts";
import { cardJobs } from "./job-definitions.ts";
import { freezeCardsOf } from "./service/status.ts";
import { hasOpenCard, isIssued, moveFunding } from "./store.ts";

/** What happens to cards when their organization changes. */
export const cardHooks = (platform: EventPlatform & Pick<Platform, "outbox">): OrganizationHooks => ({
  blocksDeletion: async (transaction, organizationId) =>
    (await hasOpenCard(transaction, organizationId))
      ? "The organization has a card that is not closed."
      : null,
  deleted: (transaction, organizationId) => eraseCardholders(transaction, { organizationId }),
  memberLeft: async (transaction, act, member) => {
    await freezeCardsOf(platform, transaction, act, member);
    await eraseCardholders(transaction, member);
  },
  timeZoneChanged: (transaction, { organizationId }) =>
    platform.outbox.enqueue(transaction, cardJobs.recountAll, { organizationId, after: null }),
});

/** What happens to cards when the bank account that funds them changes. */
export const cardFundingHooks = (platform: EventPlatform): BankAccountHooks => ({
  accountMerged: async (transaction, { organizationId, accountId, intoAccountId, actor }) => {
    const { country } = (await findFundingAccount(transaction, organizationId, intoAccountId))!;
    const change = { from: accountId, into: intoAccountId, country };
    for (const card of await moveFunding(transaction, organizationId, change)) {
      // A card has no events before it is issued.
      if (isIssued(card)) await recordCardChange(platform, transaction, actor, ["card.updated"], card);
    }
  },
});
