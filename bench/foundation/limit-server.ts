import { createHmac, timingSafeEqual } from "node:crypto";
import { createContext } from "@purser/platform";
import { type ServicePlatform, compileProcedures, restRoutes } from "@purser/router";
import { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import postgres from "postgres";
import { serveUntilStopped } from "../serve-fetch.ts";
import { Input, Output, sample } from "./contract.ts";
import { benchRouter } from "./router.ts";

/**
 * The limits that the service is compared with. They send the same response from Hono alone, from Hono with zod, and
 * from a hand-written route with SQL for just this read, which checks the session as the service does.
 */
const sql = postgres(process.env["DATABASE_URL"]!, { max: 10 });
const secret = process.env["AUTH_SECRET"]!;

const anonymous = { requestId: "req_bench", caller: null, fromTrustedOrigin: false, idempotencyKey: null };

const app = new Hono();

app.get("/bare/:id", (c) => c.json(sample));

app.get("/zod/:id", (c) => {
  const { id } = Input.parse(c.req.param());
  return c.json(Output.parse({ ...sample, id }));
});

// The REST adapter alone, to measure what a route derived from a procedure costs over a hand-written one.
for (const route of restRoutes(compileProcedures(benchRouter))) {
  app.on(route.method, route.path, async (c) => {
    const ctx = createContext({} as ServicePlatform, anonymous);
    return c.json(await route.call(ctx, { params: c.req.param(), query: null, readBody: () => undefined }));
  });
}

app.get("/bare-database/:id", async (c) => {
  const [organization] = await sql`
    SELECT id, name, avatar_url AS "avatarUrl" FROM organizations WHERE id = ${c.req.param("id")}`;
  return c.json(organization ?? null);
});

app.get("/zod-database/:id", async (c) => {
  const { id } = Input.parse(c.req.param());
  const [organization] = await sql`
    SELECT id, name, avatar_url AS "avatarUrl" FROM organizations WHERE id = ${id} AND deleted_at IS NULL`;
  return c.json(Output.parse(organization));
});

app.get("/hand-written/:id", async (c) => {
  const { id } = Input.parse(c.req.param());
  const [session] = await sql`
    SELECT u.id FROM sessions s JOIN users u ON u.id = s.user_id
    WHERE s.token = ${verified(c.req.header("authorization"))} AND s.expires_at > now() AND NOT u.banned`;
  if (session === undefined) throw new HTTPException(401);
  const [organization] = await sql`
    SELECT o.id, o.name, o.avatar_url AS "avatarUrl" FROM organizations o
    JOIN memberships m ON m.organization_id = o.id AND m.user_id = ${session["id"]}
    WHERE o.id = ${id} AND o.deleted_at IS NULL`;
  if (organization === undefined) throw new HTTPException(404);
  return c.json(organization);
});

function verified(authorization = ""): string {
  const [token = "", signature = ""] = decodeURIComponent(authorization.slice("Bearer ".length)).split(".");
  const presented = Buffer.from(signature, "base64");
  const expected = createHmac("sha256", secret).update(token).digest();
  if (presented.length !== expected.length || !timingSafeEqual(presented, expected))
    throw new HTTPException(401);
  return token;
}

serveUntilStopped(app.fetch, () => sql.end({ timeout: 1 }));
