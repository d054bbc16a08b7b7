import { Problem } from "@purser/core";
import { lockForOwner } from "@purser/organizations";
import { audit, transactAfterProviderCall } from "@purser/platform";
import type { z } from "zod";
import { callBank, findBank } from "../../call-provider.ts";
import type { BankingContext } from "../../context.ts";
import { personOf } from "../../person.ts";
import { requestSync } from "../../syncs/service/run.ts";
import type { TheConnection } from "../contract.ts";
import { refuseReconfirmation, renewedExpiry } from "../rules.ts";
import { accessBy, findConnection, findNewestConsent, lockConnection, setConsent } from "../store.ts";

/** Confirms at the provider that the newest consent of a connection continues. The user need not visit the bank. */
export function reconfirmConsent(ctx: BankingContext, input: z.output<typeof TheConnection>) {
  const { teamId, connectionId } = input;
  return transactAfterProviderCall(
    ctx,
    teamId,
    input,
    async () => {
      const connection = await findConnection(ctx.db, teamId, connectionId);
      if (connection === undefined) throw new Problem("CONNECTION_NOT_FOUND");
      if (ctx.membership.role !== "OWNER") throw new Problem("FORBIDDEN");
      // A connection always has a consent.
      const consent = (await findNewestConsent(ctx.db, teamId, connectionId))!;
      const bank = await findBank(ctx, connection.provider);
      const now = ctx.clock.now();
      const refusal = refuseReconfirmation(connection, consent, bank, now);
      if (refusal !== null) throw new Problem(refusal);
      const access = accessBy(ctx.settings.encryptionKeys, connection.institutionId, consent);
      const confirmed = await callBank(ctx, connection.provider, (asked) => asked.reconfirm!(access, now));
      return { ...confirmed, consentId: consent.id };
    },
    async (transaction, { consentId, expiresAt: grantedUntil, reconfirmBy = null }) => {
      await lockForOwner(ctx, transaction, teamId);
      const connection = await lockConnection(transaction, teamId, connectionId);
      const consent = await findNewestConsent(transaction, teamId, connectionId);
      // The consent ended, or another one replaced it, during the call to the bank.
      const isSame = consent?.id === consentId && consent.status === "AUTHORIZED";
      if (connection?.status !== "ACTIVE" || !isSame)
        throw new Problem("UNAVAILABLE", { retryAfterSeconds: 1 });
      const isLimited = consent.grantedScopes !== null;
      const expiresAt = isLimited ? renewedExpiry(consent, grantedUntil) : consent.expiresAt;
      const change = { expiresAt, reconfirmBy, ...(isLimited && { grantedUntil }), remindedDays: null };
      await setConsent(transaction, consent, change);
      // The provider refused to read without the confirmation. The next sync that succeeds clears that.
      if (connection.needsReauthorization !== null)
        await requestSync(ctx, transaction, connection, "CONNECT", personOf(ctx));
      audit(ctx, transaction, {
        organizationId: teamId,
        subject: connectionId,
        details: { consentId, reconfirmBy: reconfirmBy?.toISOString() ?? null },
      });
      const { id, scopes } = consent;
      return { id, status: "AUTHORIZED" as const, scopes, expiresAt, revokedAt: null, reconfirmBy };
    },
  );
}
