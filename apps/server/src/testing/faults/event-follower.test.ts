import { organizations } from "@purser/db";
import { stayIdle } from "@purser/testing";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ListeningService, startListeningService } from "../listening-service.ts";
import type { ApiRequest } from "./api-request.ts";
import { EventFollower } from "./event-follower.ts";
import type { ProcessSupervisor } from "./process-supervisor.ts";

let listening: ListeningService;

beforeAll(async () => {
  listening = await startListeningService();
});
afterAll(() => listening.close());

describe("a follower of events", () => {
  it("expects no webhook of what happened before its endpoint was created, however late the feed shows it", async () => {
    const { base, service } = listening;
    const { db } = service.purser;
    const owner = await service.purser.person();
    const organizationId = await service.purser.organization(owner);
    const { authorization } = await service.signedIn(owner);
    const port = Number(new URL(base).port);
    let queries = 0;
    const processes = {
      query: async <Row>(query: Parameters<ProcessSupervisor["query"]>[0]) => {
        queries += 1;
        return [...(await query(db.$client))] as Row[];
      },
      settleLimitMs: 60_000,
      servers: [{ port, proxy: { port } }],
    };
    const client = {
      call: async <Body>({ method, path, body }: ApiRequest) => {
        const headers = { authorization, "content-type": "application/json" };
        const response = await fetch(`${base}${path}`, {
          method,
          headers,
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        expect(response.status).toBeLessThan(300);
        return (await response.json()) as Body;
      },
    };
    const tenant = {
      name: "north",
      organizationId,
      owner: { userId: owner.userId, email: "north@purser.test", token: authorization.split(" ")[1]! },
    };
    const { opening } = await db.transaction(async (older) => {
      await stayIdle(older);
      // Of the server that has the organization.
      await older.execute(
        sql`SELECT pg_current_xact_id() FROM ${organizations} WHERE ${organizations.id} = ${organizationId}`,
      );
      await service.purser.as(owner).organizations.update({ id: organizationId, name: "Renamed" });
      const opened = EventFollower.open({ seed: 1, processes, client }, tenant);
      // It asks for its own transaction, looks for older ones, and looks again because one is open.
      await expect.poll(() => queries).toBeGreaterThan(2);
      return { opening: opened };
    });
    const follower = await opening;
    const types = follower.fed.slice(0, follower.streamsFrom).map(({ type }) => type);
    await follower.close();
    expect(types).toContain("organization.updated");
  });
});
