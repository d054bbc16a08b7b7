import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ListeningService, startListeningService } from "../../listening-service.ts";
import type { ProcessSupervisor } from "../process-supervisor.ts";
import { describeUndelivered } from "./undelivered.ts";

let listening: ListeningService;

beforeAll(async () => {
  listening = await startListeningService();
});
afterAll(() => listening.close());

describe("describeUndelivered", () => {
  it("says which events an endpoint has not read, and how the attempts at the others went", async () => {
    const { purser } = listening.service;
    const processes = {
      query: async <Row>(query: Parameters<ProcessSupervisor["query"]>[0]) =>
        [...(await query(purser.db.$client))] as Row[],
    };
    const owner = await purser.person();
    const organizationId = await purser.organization(owner);
    const url = "https://hooks.demo.example/purser";
    const { id } = await purser.as(owner).webhookEndpoints.create({ organizationId, url });
    await purser.as(owner).organizations.update({ id: organizationId, name: "Renamed" });
    const [event] = await purser.as(owner).events.list({ organizationId });
    const states = () => describeUndelivered(processes, organizationId, [event!.id]);
    const unread = await states();
    expect(unread).toHaveLength(2);
    expect(unread[0]).toContain(`Webhook endpoint {"id":"${id}","status":"ENABLED"`);
    expect(unread[1]).toMatch(/"type":"organization\.updated".*"isRead":false,"status":null/);

    const attempt = {
      at: "2026-03-01T00:00:00Z",
      statusCode: null,
      error: "No response.",
      durationMs: 15_000,
    };
    await purser.db.execute(sql`
      INSERT INTO event_deliveries
        (organization_id, id, endpoint_id, event_id, event_type, status, attempts, tries, next_attempt_at, created_at)
      VALUES (${organizationId}, 'whd_1', ${id}, ${event!.id}, ${event!.type}, 'PENDING',
        ${JSON.stringify([attempt])}::jsonb, 2, '2026-03-01T00:05:00Z', now())`);
    expect((await states())[1]).toMatch(
      /"status":"PENDING","tries":2,"nextAttemptAt":"2026-03-01 00:05:00.*"error":"No response\."/,
    );
  });
});
