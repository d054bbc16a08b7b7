import type { BankProvider } from "@purser/banking/ports";
import { readAccounts } from "./accounts.ts";
import { yapilyClient } from "./client.ts";
import { openConsent, revoke, readConsentStatus } from "./consents.ts";
import { institutionDirectory } from "./institutions.ts";
import { completeLink, createLink } from "./links.ts";
import type { YapilyConfig } from "./settings.ts";
import { readTransactions } from "./transactions.ts";

/**
 * Banks through Yapily (open banking, United Kingdom and EEA). A team is Yapily's application user, a consent one of
 * Yapily's, and its token opens the data. Yapily tells nothing of its own accord: everything is polled.
 */
export function yapilyBank(config: YapilyConfig): BankProvider {
  const yapily = yapilyClient(config);
  const directory = institutionDirectory(yapily);
  return {
    name: "yapily",
    feed: {
      kind: "window",
      // Banks with less give what they have.
      historyDays: 730,
      transactions: (access, accountId, from, signal) =>
        readTransactions(yapily, access, accountId, from, signal),
    },
    unattendedReadsPerDay: 4,
    institutions: (search) => directory.search(search),
    institution: (id) => directory.find(id),
    createLink: (request) => createLink(yapily, directory, request),
    completeLink: (request, state, query) => completeLink(yapily, request, state, query),
    openConsent: (reference) => openConsent(yapily, directory, reference),
    standing: (access) => readConsentStatus(yapily, access),
    accounts: (access) => readAccounts(yapily, access),
    revoke: (access) => revoke(yapily, access),
  };
}
