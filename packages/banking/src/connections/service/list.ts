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

type Input = z.output<typeof ListConnections>;

export async function listConnections(ctx: BankingContext, input: Input) {
  const connections = await pageOfConnections(ctx, input);
  return connections.map(({ connection, consents }) =>
    toBankConnection(connection, consents, ctx.clock.now()),
  );
}

/** Reads a page of a team's connections with their consents, newest first. */
export async function pageOfConnections(ctx: BankingContext, { teamId, after, limit }: Input) {
  await requireItem(after, (id) => findConnection(ctx.db, teamId, id));
  const rows = await listConnectionRows(ctx.db, teamId, after, limit + 1);
  const connections = toPage(ctx, limit, rows);
  if (connections.length === 0) return [];
  const ids = connections.map(({ id }) => id);
  const consents = Map.groupBy(
    await listConsentRows(ctx.db, teamId, ids),
    ({ connectionId }) => connectionId,
  );
  return connections.map((connection) => ({ connection, consents: consents.get(connection.id) ?? [] }));
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
