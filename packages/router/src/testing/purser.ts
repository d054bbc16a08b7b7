import { randomBytes } from "node:crypto";
import { type IdPrefix, newId } from "@purser/core";
import { type Database, connect, users } from "@purser/db";
import { type Platform, createContext } from "../context.ts";
import type { Caller } from "../identity/caller.ts";
import { openOutbox } from "../platform/outbox.ts";
import type { Settings } from "../platform/settings.ts";
import { createCaller } from "../router.ts";
import { type TestClock, testClock } from "./clock.ts";
import { createTestDatabase } from "./database.ts";

/** Somebody who is signed in: enough for every door that a test may use. */
export type Person = Caller;

/** The whole service in process: its own database, a clock that is moved by hand, and nothing that is faked. */
export interface TestPurser {
  platform: Platform;
  db: Database;
  clock: TestClock;
  /** Makes a user with a verified e-mail, signed in by an API key. */
  person(facts?: Partial<Pick<Person, "name" | "email" | "emailVerified" | "isAdministrator">>): Promise<Person>;
  /** Makes an organization of this owner, with these members; gives its identifier. */
  organization(owner: Person, others?: { members?: Person[]; owners?: Person[] }): Promise<string>;
  /** Every procedure, called by this person, or by nobody. */
  as(person: Person | null, request?: { idempotencyKey?: string | null }): ReturnType<typeof createCaller>;
  /** An identifier of this kind that was never issued. */
  unknownId(prefix: IdPrefix): string;
  close(): Promise<void>;
}

export async function createTestPurser(options: { settings?: Partial<Settings> } = {}): Promise<TestPurser> {
  const database = await createTestDatabase();
  const db = connect(database.url);
  const clock = testClock();
  const settings = { ...testSettings(), databaseUrl: database.url, ...options.settings };
  const outbox = await openOutbox(db, settings.encryptionKeys);
  const platform: Platform = { db, clock, logger: silent, outbox, settings };
  let people = 0;

  const as: TestPurser["as"] = (caller, { idempotencyKey = null } = {}) =>
    createCaller(() => {
      const requestId = newId("req", clock.now());
      return createContext(platform, { requestId, caller, fromTrustedOrigin: false, idempotencyKey });
    });

  return {
    platform,
    db,
    clock,
    as,
    async person(facts = {}) {
      people += 1;
      const person: Person = {
        userId: newId("user", clock.now()),
        name: `Person ${people}`,
        email: `person-${people}@example.com`,
        emailVerified: true,
        isAdministrator: false,
        credential: "api-key",
        ...facts,
      };
      await insertUser(db, person, clock.now());
      return person;
    },
    async organization(owner, { members = [], owners = [] } = {}) {
      const { id } = await as(owner).organizations.create({ name: "Acme" });
      for (const person of [...owners, ...members]) {
        const role = owners.includes(person) ? "OWNER" : "MEMBER";
        await as(owner).organizations.invitations.create({ organizationId: id, email: person.email, role });
        const [invitation] = await as(owner).organizations.invitations.list({ organizationId: id });
        await as(person).organizations.invitations.accept({ id: invitation!.id });
      }
      return id;
    },
    unknownId: (prefix) => newId(prefix, new Date(0)),
    async close() {
      await db.close();
      await database.drop();
    },
  };
}

async function insertUser(db: Database, person: Person, now: Date): Promise<void> {
  await db.insert(users).values({
    id: person.userId,
    name: person.name,
    email: person.email,
    emailVerified: person.emailVerified,
    role: person.isAdministrator ? "admin" : "user",
    createdAt: now,
    updatedAt: now,
  });
}

function testSettings(): Settings {
  const baseUrl = "http://localhost:3000";
  return {
    production: false,
    port: 3000,
    host: "127.0.0.1",
    baseUrl,
    appUrl: baseUrl,
    trustedOrigins: [baseUrl],
    databaseUrl: null,
    directDatabaseUrl: null,
    databasePoolSize: 10,
    databasePrepare: true,
    authSecret: randomBytes(32).toString("base64url"),
    encryptionKeys: [{ version: 1, key: randomBytes(32) }],
    signUp: "open",
    requireVerifiedEmail: true,
    adminEmails: [],
    authAttemptsPerAddress: 1_000_000,
    authAttemptsPerAccount: 10,
    requestsPerCaller: 1_000_000,
    trustedProxies: [],
    smtpUrl: null,
    mailFrom: "Purser <purser@localhost>",
    dataDir: "",
    seedDemo: false,
    metricsToken: null,
    logLevel: "silent",
  };
}

const silent = { debug() {}, info() {}, warn() {}, error() {} };
