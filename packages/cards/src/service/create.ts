import { findFundingAccount } from "@purser/banking/accounts";
import { Problem, newId } from "@purser/core";
import type { Transaction } from "@purser/db";
import { findOrganization, lockForOwner } from "@purser/organizations";
import { actorOf, audit, changeOrganization, transactAfterProviderCall, userOf } from "@purser/platform";
import type { z } from "zod";
import { requireCardholderDetails } from "../cardholder/service.ts";
import { readCardholder } from "../cardholder/store.ts";
import type { CardsContext } from "../context.ts";
import type { CreateCard } from "../contract.ts";
import { recordCardChange } from "../feed-events/service.ts";
import { callIssuer, issuerFor } from "../issuers.ts";
import { cardJobs } from "../job-definitions.ts";
import type { IssuedCard } from "../ports.ts";
import { type CardRow, insertCard, lockCard, policyExists, setCard } from "../store.ts";
import { abandonCard, cardRequestOf } from "./abandon.ts";
import { requireAssignee } from "./access.ts";

type Input = z.output<typeof CreateCard>;

/**
 * Issues a card exactly once. The intent is stored before the issuer is called, under the id that deduplicates the call
 * at the issuer. If anything fails in between, the card is abandoned and closed at the issuer (see `abandonUnissuedCards`).
 */
export function createCard(ctx: CardsContext, input: Input) {
  return transactAfterProviderCall(
    ctx,
    input.organizationId,
    input,
    async () => {
      const change = <Result>(work: (transaction: Transaction) => Promise<Result>) =>
        changeOrganization(ctx, input.organizationId, work);
      const intent = await change((transaction) => insertIntent(ctx, transaction, input));
      try {
        return { intent, ...(await issue(ctx, intent)) };
      } catch (error) {
        // The issuer may have made the card. The job finds out, and closes it.
        await change((transaction) => abandonCard(ctx, transaction, intent));
        throw error;
      }
    },
    async (transaction, { intent, issued, sentVersion }) => {
      await lockForOwner(ctx, transaction, input.organizationId);
      await requireParts(transaction, input);
      const locked = await lockCard(transaction, intent);
      if (locked === undefined) throw new Problem("UNAVAILABLE", { retryAfterSeconds: 1 });
      // Named one by one, so that nothing else an adapter returns is stored.
      const { reference: issuerReference, lastFour, expiryMonth, expiryYear } = issued;
      const issuedAt = ctx.clock.now();
      // Under the organization's lock. From here on, a change of its time zone recounts this card too.
      const { timeZone } = (await findOrganization(transaction, input.organizationId))!;
      const change = { issuerReference, lastFour, expiryMonth, expiryYear, timeZone, issuedAt };
      await setCard(transaction, intent, change);
      const { organizationId, id: subject } = intent;
      const key = { organizationId, userId: intent.assignedToId };
      const { version } = await readCardholder(transaction, ctx.settings.encryptionKeys, key);
      // The details changed while the card was issued. The job of that change may not have found the card.
      if (version !== sentVersion) await ctx.outbox.enqueue(transaction, cardJobs.updateCardholder, key);
      const { assignedToId, policyId, fundingAccountId, purpose } = input;
      audit(ctx, transaction, {
        organizationId,
        subject,
        details: {
          assignedToId,
          policyId,
          fundingAccountId,
          purpose,
          lastFour: issued.lastFour,
        },
      });
      const card = { ...intent, ...change };
      await recordCardChange(ctx, transaction, actorOf(ctx), ["card.created"], card);
      return card;
    },
  );
}

/** Requires that assignee, policy and funding account belong to the organization. Returns the funding account. */
async function requireParts(transaction: Transaction, input: Input) {
  const { organizationId, assignedToId, fundingAccountId, policyId } = input;
  await requireAssignee(transaction, organizationId, assignedToId);
  if (!(await policyExists(transaction, organizationId, policyId)))
    throw new Problem("CARD_POLICY_NOT_FOUND");
  const account = await findFundingAccount(transaction, organizationId, fundingAccountId);
  if (account === undefined) throw new Problem("BANK_ACCOUNT_NOT_FOUND");
  if (account.connectionStatus !== "ACTIVE") throw new Problem("CONNECTION_DISCONNECTED");
  return account;
}

async function insertIntent(ctx: CardsContext, transaction: Transaction, input: Input): Promise<CardRow> {
  const { currency, country } = await requireParts(transaction, input);
  const createdAt = ctx.clock.now();
  const { organizationId, assignedToId, fundingAccountId, policyId, nickname = null, purpose } = input;
  // Loads adapters, without a request.
  const issuer = await issuerFor(ctx, currency);
  const key = { organizationId, userId: assignedToId };
  const { details } = await readCardholder(transaction, ctx.settings.encryptionKeys, key);
  await requireCardholderDetails(ctx, issuer, details);
  const card: CardRow = {
    organizationId,
    id: newId("card", createdAt),
    assignedToId,
    assignedAt: null,
    firstHolderId: null,
    createdById: userOf(ctx.caller).userId,
    fundingAccountId,
    policyId,
    nickname,
    purpose,
    currency,
    country,
    status: "ACTIVE",
    issuer,
    issuerReference: null,
    lastFour: null,
    expiryMonth: null,
    expiryYear: null,
    timeZone: ctx.organization.timeZone,
    version: 0,
    countersVersion: 0,
    createdAt,
    issuedAt: null,
    closedAt: null,
  };
  await insertCard(transaction, card);
  return card;
}

async function issue(ctx: CardsContext, card: CardRow): Promise<{ issued: IssuedCard; sentVersion: number }> {
  const { cardholder, ...request } = await cardRequestOf(ctx.db, card);
  const key = { organizationId: card.organizationId, userId: card.assignedToId };
  const { details, version: sentVersion } = await readCardholder(ctx.db, ctx.settings.encryptionKeys, key);
  const issued = await callIssuer(ctx, card.issuer, (issuer) =>
    issuer.createCard({ ...request, cardholder: { ...cardholder, details } }),
  );
  return { issued, sentVersion };
}
