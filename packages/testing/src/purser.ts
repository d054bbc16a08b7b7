import { createHash, randomUUID } from "node:crypto";
import type { BankProvider, Banks } from "@purser/banking/ports";
import type { Payments } from "@purser/billing/ports";
import type { Issuers } from "@purser/cards/ports";
import { type IdPrefix, newId } from "@purser/core";
import { type TestClock, testClock } from "@purser/core/testing";
import { type Database, memberships, organizationKeys, users } from "@purser/db";
import {
  type Caller,
  type Meter,
  type OrganizationKeyCaller,
  type Tracer,
  type UserCaller,
  createContext,
} from "@purser/platform";
import type { WebhookReceiver } from "@purser/platform/inbox";
import { drainJobs } from "@purser/platform/jobs";
import type { Mail } from "@purser/platform/mail";
import { createCaller } from "@purser/router";
import { type Service, openService } from "@purser/service";
import type { ServiceSettings } from "@purser/service/settings";
import { configuredBanks } from "./banks.ts";
import { createTestDatabase } from "./database.ts";
import { testSettings } from "./settings.ts";

/** A signed-in user, as a test passes one to `as`. */
export type Person = UserCaller;

/**
 * The whole service in process, with its own database, a clock that the test moves, and stored mails.
 * Everything else is as in production.
 *
 * @example
 * const purser = await createTestPurser();
 * const owner = await purser.person();
 * const organizationId = await purser.organization(owner);
 * purser.clock.advance(7 * day);
 * await purser.drain();
 * await purser.close();
 */
export interface TestPurser extends Omit<Service, "mailbox" | "startWorker"> {
  db: Database;
  clock: TestClock;
  /** The sent mails, oldest first. `drain` sends them. */
  mails: Mail[];
  /** Runs all jobs that are due and returns their number. `ahead` includes jobs that wait for a retry. */
  drain(options?: { ahead?: boolean }): Promise<number>;
  /** Creates a user with a verified e-mail address and without a password. */
  person(attributes?: PersonAttributes): Promise<Person>;
  /** Creates several users with one statement. */
  people<const All extends readonly PersonAttributes[]>(
    ...all: All
  ): Promise<{ -readonly [Index in keyof All]: Person }>;
  /** Creates an organization of this owner with these members, and returns its id. */
  organization(owner: Person, others?: { members?: Person[]; owners?: Person[] }): Promise<string>;
  /** Creates a key of this organization, and returns the caller that presents `organizationKeySecret`. */
  organizationKey(organizationId: string, access: "read" | "write"): Promise<OrganizationKeyCaller>;
  /** Returns a caller of every procedure as this person or key; null for an unauthenticated caller. */
  as(
    caller: Caller | null,
    request?: { idempotencyKey?: string | null; address?: string; signal?: AbortSignal },
  ): ReturnType<typeof createCaller>;
  /** Returns a well-formed identifier that was never issued. */
  unknownId(prefix: IdPrefix): string;
}

type PersonAttributes = Partial<Pick<Person, "name" | "email" | "emailVerified" | "isAdministrator">>;

/** What a test replaces or sets. */
interface TestOptions {
  settings?: Partial<ServiceSettings>;
  /** Default: a new clock that shows 2026-03-02T09:00:00Z. */
  clock?: TestClock;
  receivers?: readonly WebhookReceiver[];
  banks?: Banks;
  /** Instead of `banks`: the operations that the sandbox bank has in place of its own at the time of a call. */
  bankOperations?: () => Partial<BankProvider>;
  issuers?: Issuers;
  payments?: Payments;
  tracer?: Tracer;
  meter?: Meter;
  /** The longest wait for a lock. Default: 20,000, as long as nothing hangs. */
  lockTimeoutMs?: number;
  /** Changes the database before the service opens it. */
  beforeOpening?: (url: string) => Promise<void>;
}

/** A hundred concurrent requests take longer than production allows when the machine has other work. */
const databaseLimits = {
  poolWaitMs: 20_000,
  statementTimeoutMs: 20_000,
  lockTimeoutMs: 20_000,
  idleInTransactionTimeoutMs: 60_000,
  connectTimeoutMs: 20_000,
};
const decisionTimeoutMs = 20_000;

/** Opens a service on a new database: see {@link TestPurser} for an example. `close` also drops the database. */
export async function createTestPurser(options: TestOptions = {}): Promise<TestPurser> {
  const database = await createTestDatabase();
  await options.beforeOpening?.(database.url);
  const { clock = testClock(), bankOperations, issuers, payments, tracer, meter } = options;
  const { lockTimeoutMs = databaseLimits.lockTimeoutMs } = options;
  const banks: Banks | undefined = bankOperations
    ? {
        configured: ["sandbox"],
        at: async (name) => ({ ...(await configuredBanks(opened.platform).at(name)), ...bankOperations() }),
      }
    : options.banks;
  const mails: Mail[] = [];
  const opened: Service = await openService(
    { ...testSettings(), databaseUrl: database.url, ...options.settings },
    {
      logger: silent,
      clock,
      receivers: options.receivers ?? [],
      databaseLimits: { ...databaseLimits, lockTimeoutMs },
      decisionTimeoutMs,
      banks,
      issuers,
      payments,
      tracer,
      meter,
      mail: { send: async (mail) => void mails.push(mail) },
    },
  );
  const { platform, auth, limits, receivers, handlers, webhooks, monitor } = opened;

  const as: TestPurser["as"] = (caller, { idempotencyKey = null, address, signal } = {}) =>
    createCaller(
      () => {
        const requestId = newId("req", clock.now());
        const request = { requestId, caller, fromTrustedOrigin: false, idempotencyKey, address };
        return createContext(platform, { ...request, clientSignal: signal && (() => signal) });
      },
      { ...(signal && { signal }) },
    );

  let peopleCount = 0;
  const newPerson = (attributes: PersonAttributes): Person => {
    peopleCount += 1;
    return {
      userId: newId("user", clock.now()),
      name: `Person ${peopleCount}`,
      email: `person-${peopleCount}@example.com`,
      emailVerified: true,
      isAdministrator: false,
      credential: "api-key",
      ...attributes,
    };
  };
  return {
    platform,
    auth,
    limits,
    receivers,
    handlers,
    webhooks,
    monitor,
    db: platform.db,
    clock,
    mails,
    as,
    drain: (drainOptions) => drainJobs(platform, handlers, drainOptions),
    async person(attributes = {}) {
      const person = newPerson(attributes);
      await insertUsers(platform.db, [person], clock.now());
      return person;
    },
    async people<const All extends readonly PersonAttributes[]>(...all: All) {
      const created = all.map(newPerson);
      await insertUsers(platform.db, created, clock.now());
      return created as { -readonly [Index in keyof All]: Person };
    },
    async organization(owner, { members = [], owners = [] } = {}) {
      const { id } = await as(owner).organizations.create({ name: "Acme" });
      await insertMembers(platform.db, id, { owners, members }, clock.now());
      return id;
    },
    async organizationKey(organizationId, access) {
      const id = newId("key", clock.now());
      const key = { organizationId, name: `A key to ${access}`, access };
      const hash = createHash("sha256").update(organizationKeySecret(id)).digest("base64url");
      const row = { ...key, id, start: "purser_org_test", hash, createdAt: clock.now() };
      await platform.db.insert(organizationKeys).values(row);
      return { ...key, keyId: id, credential: "organization-key" };
    },
    // Not `newId` with another instant, which would begin the sequence of ids again.
    unknownId: (prefix) => `${prefix}_${randomUUID().replaceAll("-", "").slice(0, 26).replace(/^./, "0")}`,
    async close() {
      await opened.close();
      await database.drop();
    },
  };
}

/** Opens another process on the database of this service, with its clock and its mails. */
export function openOtherProcess(
  { platform, clock, mails }: TestPurser,
  { settings, banks }: Pick<TestOptions, "settings" | "banks"> = {},
): Promise<Service> {
  return openService(
    { ...platform.settings, ...settings },
    {
      logger: silent,
      clock,
      databaseLimits,
      decisionTimeoutMs,
      banks,
      mail: { send: async (mail) => void mails.push(mail) },
    },
  );
}

/** The secret of a key that the harness created. A real one is random. */
export const organizationKeySecret = (keyId: string) => `purser_org_${keyId}`;

async function insertUsers(db: Database, people: readonly Person[], now: Date): Promise<void> {
  const rows = people.map((person) => ({
    id: person.userId,
    name: person.name,
    email: person.email,
    emailVerified: person.emailVerified,
    role: person.isAdministrator ? ("admin" as const) : ("user" as const),
    createdAt: now,
    updatedAt: now,
  }));
  await db.insert(users).values(rows);
}

/** Adds members without invitations. */
async function insertMembers(
  db: Database,
  organizationId: string,
  { owners, members }: { owners: Person[]; members: Person[] },
  now: Date,
): Promise<void> {
  const rows = [...owners, ...members].map(({ userId }) => ({
    organizationId,
    id: newId("mem", now),
    userId,
    role: owners.some((owner) => owner.userId === userId) ? ("OWNER" as const) : ("MEMBER" as const),
    isCreator: false,
    createdAt: now,
  }));
  if (rows.length > 0) await db.insert(memberships).values(rows);
}

const silent = { debug() {}, info() {}, warn() {}, error() {} };
