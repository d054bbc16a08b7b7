import type { BankProvider } from "@purser/banking/ports";
import { readYapilyAccounts } from "./accounts.ts";
import { createYapilyClient } from "./client.ts";
import { openYapilyConsent, revokeYapilyConsent, readYapilyConsentStatus } from "./consents.ts";
import { institutionDirectory } from "./institutions.ts";
import { completeYapilyLink, createYapilyLink } from "./links.ts";
import type { YapilyConfig } from "./settings.ts";
import { readYapilyTransactions } from "./transactions.ts";

/**
 * Banks through Yapily (open banking, United Kingdom and EEA). A team is Yapily's application user, a consent one of
 * Yapily's, and its token opens the data. Yapily tells nothing of its own accord: everything is polled.
 */
export function yapilyBank(config: YapilyConfig): BankProvider {
  const yapily = createYapilyClient(config);
  const directory = institutionDirectory(yapily);
  return {
    name: "yapily",
    feed: {
      kind: "window",
      // Banks with less give what they have.
      historyDays: 730,
      transactions: (access, accountId, from, signal) =>
        readYapilyTransactions(yapily, access, accountId, from, signal),
    },
    unattendedReadsPerDay: 4,
    institutions: (search) => directory.search(search),
    institution: (id) => directory.find(id),
    createLink: (request) => createYapilyLink(yapily, directory, request),
    completeLink: (request, state, query) => completeYapilyLink(yapily, request, state, query),
    openConsent: (reference) => openYapilyConsent(yapily, directory, reference),
    standing: (access) => readYapilyConsentStatus(yapily, access),
    accounts: (access) => readYapilyAccounts(yapily, access),
    revoke: (access) => revokeYapilyConsent(yapily, access),
  };
}
