import type { BankProvider } from "@purser/banking/ports";
import { readYapilyAccounts } from "./accounts.ts";
import { createYapilyClient } from "./client.ts";
import {
  extendYapilyConsent,
  openYapilyConsent,
  readYapilyConsentStatus,
  revokeYapilyConsent,
} from "./consents.ts";
import { institutionDirectory } from "./institutions.ts";
import { completeYapilyLink, createYapilyLink } from "./links.ts";
import type { YapilyConfig } from "./settings.ts";
import { earlierDays, readYapilyTransactions } from "./transactions.ts";

/**
 * Reads banks through Yapily (open banking, United Kingdom and EEA). A team is an application user at Yapily. A consent
 * has a token, which authorizes reading. The adapter uses no webhooks: everything is polled.
 */
export function yapilyBank(config: YapilyConfig): BankProvider {
  const yapily = createYapilyClient(config);
  const directory = institutionDirectory(yapily);
  return {
    name: "yapily",
    feed: {
      kind: "window",
      // A request begins earlier, and 730 days back at most. A bank with a shorter history returns what it has.
      historyDays: 730 - earlierDays,
      async *transactions(access, accountId, from, signal, report) {
        const timeZone = await directory.timeZone(access.institutionId, access.country);
        yield* readYapilyTransactions(yapily, { access, accountId, from, timeZone }, signal, report);
      },
    },
    unattendedReadsPerDay: 4,
    institutions: (search) => directory.search(search),
    institution: (id) => directory.find(id),
    createLink: (request) => createYapilyLink(yapily, directory, request),
    completeLink: (request, state, query) => completeYapilyLink(yapily, request, state, query),
    consentOfLink: (state) => state,
    openConsent: (reference) => openYapilyConsent(yapily, directory, reference),
    consentStatus: (access) => readYapilyConsentStatus(yapily, access),
    reconfirm: (access, confirmedAt) => extendYapilyConsent(yapily, access, confirmedAt),
    accounts: (access, report) => readYapilyAccounts(yapily, access, report),
    revoke: (access) => revokeYapilyConsent(yapily, access),
  };
}
