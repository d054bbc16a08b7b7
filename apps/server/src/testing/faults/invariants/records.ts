import { isDeepStrictEqual } from "node:util";
import type { RandomSource } from "@purser/core";
import type { LoadContext } from "../world.ts";

/** The audit trail contains every action as often as it happened. */
export async function checkAudit({ processes, ledger, complain }: LoadContext): Promise<void> {
  const rows = await processes.look<{ place: string; count: number }>(
    (sql) =>
      sql`SELECT organization_id || ' ' || action AS place, count(*)::int FROM audit_entries GROUP BY 1`,
  );
  const counts = new Map(rows.map(({ place, count }) => [place, count]));
  for (const [place, { certain, possible }] of ledger.acts) {
    const count = counts.get(place) ?? 0;
    if (count < certain || count > possible)
      complain(
        `${place} stands ${count} times in the audit trail, and was done ${certain} to ${possible} times`,
      );
  }
}

/** Every accepted webhook event is recorded once, and is applied or dead with an error. */
export async function checkEvents({ processes, ledger, complain }: LoadContext): Promise<void> {
  const rows = await processes.look<{ event: string; status: string; reason: string | null }>(
    (sql) => sql`
      SELECT area || ' ' || provider || ' ' || event_id AS event, status, last_error AS reason FROM webhook_events
      LEFT JOIN webhook_deliveries USING (area, provider, event_id)`,
  );
  const stored = new Map(rows.map((row) => [row.event, row]));
  for (const key of ledger.events)
    if (!stored.has(key.join(" "))) complain(`The event ${key.join(" ")} was accepted, and is lost`);
  for (const { event, status, reason } of rows)
    if (status !== "APPLIED" && status !== "IGNORED") complain(`The event ${event} is ${status}: ${reason}`);
}

/** No job has exhausted its attempts, and every notification was sent once to each recipient. */
export async function checkJobs({ processes, ledger, complain }: LoadContext): Promise<void> {
  const dead = await processes.look<{ what: string }>(
    (sql) => sql`
      SELECT format('Job %s %s is dead: %s', name, id, output) AS what FROM pgboss.job
      WHERE state IN ('failed', 'cancelled') AND name NOT LIKE '\\_\\_%'`,
  );
  for (const { what } of dead) complain(what);
  const told = ["payment_failed", "unpaid", "ending", "ended"];
  const [mails] = await processes.look<{ sent: number; due: number }>(
    (sql) => sql`
      SELECT (SELECT count(*)::int FROM pgboss.job WHERE name = 'mail.send') AS sent,
        (SELECT count(*)::int FROM audit_entries WHERE action = 'organizations.invitations.create'
          OR details ->> 'change' = ANY (${told})) AS due`,
  );
  // Every sign-up sends a confirmation email. Each organization of the load has one owner.
  const due = mails!.due + ledger.people;
  if (mails!.sent !== due) complain(`${mails!.sent} mails were sent instead of ${due}`);
}

/** Repeats some acknowledged requests under their key or id. Each must get the same response. */
export async function checkRepetition(
  { client, ledger, complain }: LoadContext,
  chance: RandomSource,
): Promise<void> {
  const asked = Array.from({ length: Math.min(12, ledger.answered.length) }, () =>
    chance.pick(ledger.answered),
  );
  await Promise.all(
    asked.map(async ({ ask, answer }) => {
      const again = await client.ask(ask);
      const isReplay = ask.key === undefined || again.headers["idempotency-replayed"] === "true";
      if (again.status === answer.status && isDeepStrictEqual(again.body, answer.body) && isReplay) return;
      const what = `${ask.method} ${ask.path} ${JSON.stringify(ask.body)}`;
      complain(
        `${what} was answered with ${JSON.stringify(answer.body)}, and again with ${again.status} ${JSON.stringify(again.body)}`,
      );
    }),
  );
}
