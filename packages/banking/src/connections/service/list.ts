import { requireItem, toPage } from "@purser/platform";
import type { z } from "zod";
import type { BankingContext } from "../../context.ts";
import type { ListConnections } from "../contract.ts";
import { consentAt } from "../rules.ts";
import {
  type ConnectionRow,
  type ConsentRow,
  findConnection,
  listConnectionRows,
  listConsentRows,
} from "../store.ts";

export async function listConnections(ctx: BankingContext, input: z.output<typeof ListConnections>) {
  await requireItem(input.after, (id) => findConnection(ctx.db, input.teamId, id));
  const rows = await listConnectionRows(ctx.db, input.teamId, input.after, input.limit + 1);
  const connections = toPage(ctx, input.limit, rows);
  if (connections.length === 0) return [];
  const ids = connections.map(({ id }) => id);
  const consents = Map.groupBy(
    await listConsentRows(ctx.db, input.teamId, ids),
    ({ connectionId }) => connectionId,
  );
  return connections.map((connection) =>
    toBankConnection(connection, consents.get(connection.id) ?? [], ctx.clock.now()),
  );
}

/** Maps a row to the API's fields only, because events store the result. */
export function toBankConnection(
  { id, organizationId, provider, institutionId, status }: ConnectionRow,
  consents: ConsentRow[],
  now: Date,
) {
  return {
    id,
    teamId: organizationId,
    provider,
    providerId: institutionId,
    status,
    consents: consents.map((consent) => {
      const { id: consentId, status: consentStatus, scopes, expiresAt, revokedAt } = consentAt(consent, now);
      return { id: consentId, status: consentStatus, scopes, expiresAt, revokedAt };
    }),
  };
}
