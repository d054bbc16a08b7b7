import { betterAuth } from "better-auth";
import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { and, eq } from "drizzle-orm";
import { boolean, pgSchema, text, timestamp } from "drizzle-orm/pg-core";
import { drizzle } from "drizzle-orm/postgres-js";
import { Hono } from "hono";
import postgres from "postgres";
import { offerCalls } from "../../calls.ts";
import { Input, Output, sample } from "../../foundation/contract.ts";
import { serveUntilStopped } from "../../serve-fetch.ts";

/** The service of a reader of the documentation of Hono, better-auth and drizzle, with tables of its own. */
const peers = pgSchema("peers");
const id = () => text("id").primaryKey();
const times = {
  createdAt: timestamp("created_at").notNull().defaultNow(),
  updatedAt: timestamp("updated_at").notNull().defaultNow(),
};
const user = peers.table("user", {
  id: id(),
  name: text("name").notNull(),
  email: text("email").notNull().unique(),
  emailVerified: boolean("email_verified").notNull().default(false),
  image: text("image"),
  ...times,
});
const session = peers.table("session", {
  id: id(),
  token: text("token").notNull().unique(),
  userId: text("user_id").notNull(),
  expiresAt: timestamp("expires_at").notNull(),
  ipAddress: text("ip_address"),
  userAgent: text("user_agent"),
  ...times,
});
const account = peers.table("account", {
  id: id(),
  accountId: text("account_id").notNull(),
  providerId: text("provider_id").notNull(),
  userId: text("user_id").notNull(),
  accessToken: text("access_token"),
  refreshToken: text("refresh_token"),
  idToken: text("id_token"),
  accessTokenExpiresAt: timestamp("access_token_expires_at"),
  refreshTokenExpiresAt: timestamp("refresh_token_expires_at"),
  scope: text("scope"),
  password: text("password"),
  ...times,
});
const verification = peers.table("verification", {
  id: id(),
  identifier: text("identifier").notNull(),
  value: text("value").notNull(),
  expiresAt: timestamp("expires_at").notNull(),
  ...times,
});
const organization = peers.table("organization", {
  id: id(),
  name: text("name").notNull(),
  avatarUrl: text("avatar_url"),
});
const member = peers.table("member", {
  organizationId: text("organization_id").notNull(),
  userId: text("user_id").notNull(),
});

const { DATABASE_URL: url = "", AUTH_SECRET: secret = "" } = process.env;
const sql = postgres(url, { max: 10 });
const db = drizzle(sql);
const auth = betterAuth({
  baseURL: "http://localhost:3000",
  secret,
  database: drizzleAdapter(db, { provider: "pg", schema: { user, session, account, verification } }),
  emailAndPassword: { enabled: true },
});

const cookie = await signUp();
const app = new Hono<{ Variables: { userId: string | null } }>();

app.on(["POST", "GET"], "/api/auth/*", (c) => auth.handler(c.req.raw));

app.use("*", async (c, next) => {
  const found = await auth.api.getSession({ headers: c.req.raw.headers });
  c.set("userId", found?.user.id ?? null);
  await next();
});

app.get("/api/organizations/:id", async (c) => {
  const { id: organizationId } = Input.parse(c.req.param());
  const userId = c.get("userId");
  if (userId === null) return c.json({ message: "Unauthorized" }, 401);
  const [found] = await db
    .select({ id: organization.id, name: organization.name, avatarUrl: organization.avatarUrl })
    .from(organization)
    .innerJoin(member, and(eq(member.organizationId, organization.id), eq(member.userId, userId)))
    .where(eq(organization.id, organizationId));
  return found === undefined ? c.json({ message: "Not Found" }, 404) : c.json(Output.parse(found));
});

app.get("/cookie", (c) => c.text(cookie));

const headers = new Headers({ cookie });
offerCalls({ session: () => auth.api.getSession({ headers }) });
serveUntilStopped(app.fetch, () => sql.end({ timeout: 1 }));

/** Creates the tables, and a signed-in user with an organization. Returns the session's cookie. */
async function signUp(): Promise<string> {
  const stamps = `created_at timestamp NOT NULL DEFAULT now(), updated_at timestamp NOT NULL DEFAULT now()`;
  await sql.unsafe(`
    CREATE SCHEMA peers;
    CREATE TABLE peers.user (id text PRIMARY KEY, name text NOT NULL, email text NOT NULL UNIQUE,
      email_verified boolean NOT NULL DEFAULT false, image text, ${stamps});
    CREATE TABLE peers.session (id text PRIMARY KEY, token text NOT NULL UNIQUE,
      user_id text NOT NULL REFERENCES peers.user, expires_at timestamp NOT NULL, ip_address text, user_agent text, ${stamps});
    CREATE INDEX ON peers.session (user_id);
    CREATE TABLE peers.account (id text PRIMARY KEY, account_id text NOT NULL, provider_id text NOT NULL,
      user_id text NOT NULL REFERENCES peers.user, access_token text, refresh_token text, id_token text,
      access_token_expires_at timestamp, refresh_token_expires_at timestamp, scope text, password text, ${stamps});
    CREATE TABLE peers.verification (id text PRIMARY KEY, identifier text NOT NULL, value text NOT NULL,
      expires_at timestamp NOT NULL, ${stamps});
    CREATE TABLE peers.organization (id text PRIMARY KEY, name text NOT NULL, avatar_url text);
    CREATE TABLE peers.member (organization_id text REFERENCES peers.organization, user_id text REFERENCES peers.user,
      PRIMARY KEY (organization_id, user_id));`);
  const body = { name: "Owner", email: "owner@example.com", password: crypto.randomUUID() };
  const signedUp = await auth.api.signUpEmail({ body, returnHeaders: true });
  await db.insert(organization).values(sample);
  await db.insert(member).values({ organizationId: sample.id, userId: signedUp.response.user.id });
  const cookies = signedUp.headers.getSetCookie();
  return cookies.map((each) => each.split(";")[0]).join("; ");
}
