import type { Platform } from "@purser/platform";
import type { BankProvider } from "../ports.ts";
import {
  extendConsent,
  openConsent,
  readSandboxConsentStatus,
  reopenConsent,
  revokeSandboxConsent,
} from "./consents.ts";
import { cursorFeed, readAccounts, windowFeed } from "./feed.ts";
import { findInstitution, toInstitution, searchInstitutions } from "./institutions.ts";
import { completeSandboxLink, createSandboxLink } from "./links.ts";
import { type BankParts, realSleep } from "./session.ts";
import { sandboxWebhooks } from "./webhooks.ts";

interface SandboxOptions {
  /** Whether it reports changes since a cursor, or lists days. Default `cursor`. */
  feed?: "cursor" | "window";
  /** The largest number of changes in a page. Default 500. */
  pageSize?: number;
  /** Simulates the delay of a slow bank. */
  sleep?: BankParts["sleep"];
}

/** The built-in bank. Its data derives from the customers' names and the clock. Faults happen only if they are set. */
export function sandboxBank(
  platform: Pick<Platform, "db" | "clock" | "settings" | "outbox">,
  { feed = "cursor", pageSize = 500, sleep = realSleep }: SandboxOptions = {},
): BankProvider {
  const parts: BankParts = { ...platform, sleep };
  return {
    name: "sandbox",
    feed: feed === "cursor" ? cursorFeed(parts, pageSize) : windowFeed(parts, pageSize),
    unattendedReadsPerDay: null,
    institutions: async (search) => searchInstitutions(search).map(toInstitution),
    institution: async (id) => toInstitution(findInstitution(id)),
    createLink: (request) => createSandboxLink(parts, request),
    completeLink: (request, _state, query) => completeSandboxLink(parts, request, query),
    openConsent: (reference) => openConsent(parts, reference),
    consentStatus: (access) => readSandboxConsentStatus(parts, access),
    accounts: (access) => readAccounts(parts, access),
    revoke: (access) => revokeSandboxConsent(parts, access),
    reconfirm: (access, confirmedAt) => extendConsent(parts, access, confirmedAt),
    confirmsWithoutDate: true,
    reopen: (reference) => reopenConsent(parts, reference),
    webhooks: sandboxWebhooks(platform.settings),
  };
}
