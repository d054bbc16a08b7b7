import { type ProblemCode, Problem, addMs, errorText } from "@purser/core";
import { bankErrorKind } from "../../call-provider.ts";
import { referenceHashes, connectInBackground } from "../../connections/service/connect.ts";
import { findConsent } from "../../connections/store.ts";
import type { BankingPlatform } from "../../context.ts";
import { continueRenewed, finishLink, finishedLinksAct } from "./hosted-links.ts";
import { type LinkRow, listFinishedLinks, setLinkProcessed, unsealLink } from "../store.ts";

/** How long the front end has to connect a finished link by itself. Plaid's public tokens are valid for 30 minutes. */
const frontEndTimeoutMs = 10 * 60 * 1000;

/** Refusals that a retry cannot change. */
const finalRefusals: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  "CONSENT_NOT_FOUND",
  "FORBIDDEN",
  "INSTITUTION_NOT_FOUND",
  "ORGANIZATION_NOT_FOUND",
  "REAUTHORIZATION_REQUIRED",
  "VALIDATION_FAILED",
]);

/**
 * Connects the consents of users who finished a link and closed the browser before it returned, or whose consent was not in
 * force yet. Their consent would otherwise stay at the provider with no connection.
 */
export async function connectFinishedLinks(platform: BankingPlatform): Promise<void> {
  const { db, clock, settings, logger } = platform;
  const before = addMs(clock.now(), -frontEndTimeoutMs);
  for (const link of await listFinishedLinks(db, before)) {
    try {
      await connectFinishedLink(platform, unsealLink(settings.encryptionKeys, link));
    } catch (error) {
      if (bankErrorKind(error) === "authorization_pending") {
        await setLinkProcessed(db, link, { nextAt: clock.now() });
        continue;
      }
      logger.warn({ linkId: link.id, reason: errorText(error) }, "A finished link could not be connected");
      if (!(error instanceof Problem) || !finalRefusals.has(error.code)) continue;
    }
    await setLinkProcessed(db, link);
  }
}

async function connectFinishedLink(platform: BankingPlatform, link: LinkRow): Promise<void> {
  const { result, renewed } = await finishLink(platform, link, null);
  if (renewed) return continueRenewed(platform, link, renewed, result);
  const { teamId, provider, consentId } = result;
  const key = { id: consentId, hashes: referenceHashes(platform, result) };
  const known = await findConsent(platform.db, teamId, provider, key);
  // The front end connected it, and the team may have disconnected it since.
  if (known !== undefined) return;
  await connectInBackground(platform, { userId: link.userId, act: finishedLinksAct }, result);
}
