import { Problem, utcDay, invalidField } from "@purser/core";
import type { Transaction } from "@purser/db";
import { findMembership, lockOrganization } from "@purser/organizations";
import { audit, throwAll, transactInOrganization, userOf } from "@purser/platform";
import type { z } from "zod";
import type { CardsContext, CardsPlatform } from "../context.ts";
import { cardJobs } from "../job-definitions.ts";
import { type CardholderDetailName, type CardholderDetails, IssuerError, type IssuerName } from "../ports.ts";
import { cardRequestOf } from "../service/abandon.ts";
import { hasCardOf, listOpenCardsOf } from "../store.ts";
import type { GetCardholder, UpdateCardholder } from "./contract.ts";
import { changedDetails, missingDetailsSentence, patchDetails, providedDetails } from "./rules.ts";
import { type CardholderKey, readCardholder, writeCardholder } from "./store.ts";

/** Returns which details of the caller are on record and which the issuers require, and none of the details. */
export async function getCardholder(ctx: CardsContext, { organizationId }: z.output<typeof GetCardholder>) {
  const key = { organizationId, userId: userOf(ctx.caller).userId };
  const { details } = await readCardholder(ctx.db, ctx.settings.encryptionKeys, key);
  return { ...key, provided: providedDetails(details), missing: await missingAtIssuers(ctx, details) };
}

/** Throws VALIDATION_FAILED for a date of birth in the future. */
export function checkDateOfBirth(
  { clock }: Pick<CardsContext, "clock">,
  { dateOfBirth }: z.output<typeof UpdateCardholder>,
): void {
  if (!dateOfBirth || dateOfBirth <= utcDay(clock.now())) return;
  throw invalidField("dateOfBirth", "Must not be in the future");
}

/** Stores details of the caller as a cardholder, and enqueues the job that sends them to the issuers of their cards. */
export function updateCardholder(ctx: CardsContext, input: z.output<typeof UpdateCardholder>) {
  const { organizationId, ...patch } = input;
  const { encryptionKeys } = ctx.settings;
  const now = ctx.clock.now();
  const userId = userOf(ctx.caller).userId;
  const update = async (transaction: Transaction) => {
    // Members leave under this lock, and then their details are erased.
    const organization = await lockOrganization(transaction, organizationId);
    const isMember = organization && (await findMembership(transaction, organizationId, userId));
    if (!isMember) throw new Problem("ORGANIZATION_NOT_FOUND");
    const key = { organizationId, userId };
    const before = await readCardholder(transaction, encryptionKeys, key);
    const acceptance = { acceptedAt: now.toISOString(), ip: ctx.address ?? null };
    const details = patchDetails(before.details, patch, acceptance);
    const changed = changedDetails(before.details, details);
    if (changed.length > 0) {
      const after = { details, version: before.version + 1 };
      await writeCardholder(transaction, encryptionKeys, key, after, now);
      if (await hasCardOf(transaction, organizationId, userId)) {
        await ctx.outbox.enqueue(transaction, cardJobs.updateCardholder, key);
      }
      // The names of the details, and never the details.
      audit(ctx, transaction, { organizationId, subject: userId, details: { changed } });
    }
    return { ...key, provided: providedDetails(details), missing: await missingAtIssuers(ctx, details) };
  };
  return transactInOrganization(ctx, organizationId, input, update, { isSensitive: true });
}

/**
 * Sends a cardholder's details about each open card. If they change during the calls, sends them again. A call that fails
 * does not stop the others; the failures are thrown together at the end.
 */
export async function sendCardholderDetails(platform: CardsPlatform, key: CardholderKey): Promise<void> {
  const { db, issuers, settings } = platform;
  for (let sentVersion = 0; ;) {
    const { details, version } = await readCardholder(db, settings.encryptionKeys, key);
    if (version === sentVersion) return;
    const cards = await listOpenCardsOf(db, key.organizationId, key.userId);
    const failures: unknown[] = [];
    for (const card of cards) {
      // Cards stay open here when an operator stops using their issuer.
      if (!issuers.configured.includes(card.issuer)) continue;
      const { organizationId, cardholder } = await cardRequestOf(db, card);
      const issuer = await issuers.at(card.issuer);
      const holder = { organizationId, cardholder: { ...cardholder, details } };
      try {
        await issuer.updateCardholder(card.issuerReference, holder);
      } catch (error) {
        // An operator has chosen another account at the issuer since.
        const isGone = IssuerError.is(error, "card_not_found");
        if (!isGone) failures.push(error);
      }
    }
    throwAll(failures);
    sentVersion = version;
  }
}

/** The details that any issuer of this service requires and that are not on record. Calls no issuer. */
async function missingAtIssuers(
  { issuers }: Pick<CardsPlatform, "issuers">,
  details: CardholderDetails,
): Promise<CardholderDetailName[]> {
  const missing = await Promise.all(
    issuers.configured.map(async (name) => (await issuers.at(name)).missingDetails(details)),
  );
  return [...new Set(missing.flat())];
}

/** Throws CARDHOLDER_DETAILS_REQUIRED if the issuer requires details that the cardholder has not provided. */
export async function requireCardholderDetails(
  { issuers }: Pick<CardsPlatform, "issuers">,
  issuer: IssuerName,
  details: CardholderDetails,
): Promise<void> {
  const missing = (await issuers.at(issuer)).missingDetails(details);
  if (missing.length === 0) return;
  throw new Problem("CARDHOLDER_DETAILS_REQUIRED", { detail: missingDetailsSentence(missing) });
}
