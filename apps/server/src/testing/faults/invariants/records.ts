import { isDeepStrictEqual } from "node:util";
import type { RandomSource } from "@purser/core";
import type { LoadContext } from "../load-context.ts";

/** The audit trail contains every request as often as it was made. What a request changed has an entry of its own. */
export async function checkAudit({ processes, state, reportViolation }: LoadContext): Promise<void> {
  const rows = await processes.query<{ key: string; count: number }>(
    (sql) => sql`
      SELECT organization_id || ' ' || action AS key, count(*)::int FROM audit_entries
      WHERE details ->> 'change' IS NULL
      GROUP BY 1
    `,
  );
  const counts = new Map(rows.map(({ key, count }) => [key, count]));
  for (const [key, { certain, possible }] of state.actions) {
    const count = counts.get(key) ?? 0;
    if (count < certain || count > possible)
      reportViolation(`${key} has ${count} audit entries, and was done ${certain} to ${possible} times`);
  }
}

/** Every accepted webhook event is recorded once, and is applied or dead with an error. */
export async function checkEvents({ processes, state, reportViolation }: LoadContext): Promise<void> {
  const rows = await processes.query<{ event: string; status: string; reason: string | null }>(
    (sql) => sql`
      SELECT area || ' ' || provider || ' ' || event_id AS event, status, last_error AS reason FROM webhook_events
      LEFT JOIN webhook_deliveries USING (area, provider, event_id)`,
  );
  const stored = new Map(rows.map((row) => [row.event, row]));
  for (const key of state.events)
    if (!stored.has(key.join(" ")))
      reportViolation(`The event ${key.join(" ")} was acknowledged and is not stored`);
  for (const { event, status, reason } of rows)
    if (status !== "APPLIED" && status !== "IGNORED")
      reportViolation(`The event ${event} is ${status}: ${reason}`);
}

/** No job has exhausted its attempts, and every notification was sent once to each recipient. */
export async function checkJobs({ processes, state, reportViolation }: LoadContext): Promise<void> {
  const dead = await processes.query<{ description: string }>(
    (sql) => sql`
      SELECT format('Job %s %s is dead: %s', name, id, output) AS description FROM pgboss.job
      WHERE state IN ('failed', 'cancelled') AND name NOT LIKE '\\_\\_%'`,
  );
  for (const { description } of dead) reportViolation(description);
  const mailedChanges = ["payment_failed", "unpaid", "ending", "ended"];
  const [mails] = await processes.query<{ sent: number; due: number }>(
    (sql) => sql`
      SELECT (SELECT count(*)::int FROM pgboss.job WHERE name = 'mail.send') AS sent,
        (SELECT count(*)::int FROM audit_entries WHERE action = 'organizations.invitations.create'
          OR details ->> 'change' = ANY (${mailedChanges})) AS due`,
  );
  // Every sign-up sends a confirmation email. Each organization of the load has one owner.
  const due = mails!.due + state.signUps;
  if (mails!.sent !== due) reportViolation(`${mails!.sent} mails were sent instead of ${due}`);
}

/** Repeats some acknowledged requests under their key or id. Each must get the same response. */
export async function checkReplays(
  { client, state, reportViolation }: LoadContext,
  random: RandomSource,
): Promise<void> {
  const samples = Array.from({ length: Math.min(12, state.requests.length) }, () =>
    random.pick(state.requests),
  );
  await Promise.all(
    samples.map(async ({ request, response }) => {
      const again = await client.send(request);
      const isReplay = request.key === undefined || again.headers["idempotency-replayed"] === "true";
      if (again.status === response.status && isDeepStrictEqual(again.body, response.body) && isReplay)
        return;
      const call = `${request.method} ${request.path} ${JSON.stringify(request.body)}`;
      reportViolation(
        `${call} returned ${JSON.stringify(response.body)}, and repeated ${again.status} ${JSON.stringify(again.body)}`,
      );
    }),
  );
}
