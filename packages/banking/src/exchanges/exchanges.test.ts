import { day } from "@purser/core/testing";
import { bankAccounts, bankConnections, bankConsents, bankExchanges, bankSyncs } from "@purser/db";
import {
  type Person,
  type TestPurser,
  configuredBanks,
  createTestPurser,
  handlerOf,
  refusalOf,
  changeTestTrigger,
  createTestSequence,
} from "@purser/testing";
import { platformJobs } from "@purser/platform/jobs";
import { eq, sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Access, BankError, type BankProvider } from "../ports.ts";
import { gate } from "../testing/scripted-bank.ts";
import { revokeUnclaimed } from "./service.ts";
import { insertExchange } from "./store.ts";

let purser: TestPurser;
let owner: Person;
let teamId: string;
/** Overrides operations of the bank. All others are the sandbox's. */
let replaced: Partial<BankProvider> = {};

beforeAll(async () => {
  purser = await createTestPurser({ bankOperations: () => replaced });
  owner = await purser.person();
});
afterAll(() => purser.close());
beforeEach(async () => {
  teamId = await purser.organization(owner);
});
afterEach(() => {
  replaced = {};
});

const bank = { provider: "sandbox", providerId: "sprout-bank" } as const;
const banking = () => purser.as(owner).banking;
const connect = (consentId = "ada", more: object = {}) =>
  banking().connections.connect({ teamId, ...bank, consentId, ...more });

/** The number of a team's rows in each table that connecting writes to. */
async function traces(): Promise<number[]> {
  const tables = [bankConnections, bankConsents, bankAccounts, bankSyncs];
  return Promise.all(tables.map((table) => purser.db.$count(table, eq(table.organizationId, teamId))));
}

/** Makes the bank exchange each secret once, all for the same consent. Returns the secrets that were exchanged. */
function exchangeOncePerSecret(): Set<string> {
  const used = new Set<string>();
  replaced.exchangeConsent = async ({ consentId }) => {
    if (!consentId.startsWith("public-") || used.has(consentId))
      throw new BankError("consent_not_found", "Only once");
    used.add(consentId);
    return { consentId: "item", token: "a token" };
  };
  return used;
}

function recordRevocations(): Access[] {
  const revoked: Access[] = [];
  replaced.revoke = async (access) => void revoked.push(access);
  return revoked;
}

async function housekeep(): Promise<void> {
  await handlerOf(purser.handlers, platformJobs.purge)(null, { id: "job", attempt: 1, last: false });
  await purser.drain();
}

const isDown = () => Promise.reject(new BankError("outage", "It is down"));

describe("a consent that comes as a secret for one use", () => {
  it.each([["openConsent"], ["accounts"]] as const)(
    "is kept after an outage of %s, and connected by a retry",
    async (operation) => {
      const used = exchangeOncePerSecret();
      const revoked = recordRevocations();
      replaced[operation] = isDown;
      expect(await refusalOf(connect("public-1"))).toBe("PROVIDER_ERROR");
      delete replaced[operation];
      expect(await connect("public-1")).toMatchObject({ status: "ACTIVE", consents: [{ id: "item" }] });
      await purser.drain();
      expect([...used]).toEqual(["public-1"]);
      expect(revoked).toEqual([]);
    },
  );

  it("is kept while the database cannot store it, and connected as soon as it can", async () => {
    const used = exchangeOncePerSecret();
    const revoked = recordRevocations();
    const { db } = purser;
    // A sequence is not rolled back. The server shuts down at the first attempt.
    await createTestSequence(db, "attempts");
    await db.execute(sql`
      CREATE FUNCTION fail_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('attempts') = 1 THEN RAISE EXCEPTION 'shutting down' USING ERRCODE = '57P01'; END IF;
        RETURN NEW; END $$`);
    await changeTestTrigger(
      db,
      sql`CREATE TRIGGER fail_once BEFORE INSERT ON bank_exchanges FOR EACH ROW EXECUTE FUNCTION fail_once()`,
    );
    try {
      expect(await connect("public-1")).toMatchObject({ status: "ACTIVE", consents: [{ id: "item" }] });
    } finally {
      await changeTestTrigger(db, sql`DROP TRIGGER fail_once ON bank_exchanges`);
    }
    expect([[...used], revoked]).toEqual([["public-1"], []]);
  });

  it("is stored although the answer of the first attempt was lost", async () => {
    exchangeOncePerSecret();
    const { platform } = purser;
    replaced.openConsent = isDown;
    expect(await refusalOf(connect("public-1"))).toBe("PROVIDER_ERROR");
    const [row] = await purser.db
      .select()
      .from(bankExchanges)
      .where(eq(bankExchanges.organizationId, teamId));
    await insertExchange(platform.db, platform.settings.encryptionKeys, { ...row!, token: "a token" });
    delete replaced.openConsent;
    expect(await connect("public-1")).toMatchObject({ status: "ACTIVE" });
  });

  it("is not connected once the job that revokes it has taken it", async () => {
    exchangeOncePerSecret();
    const revoked = recordRevocations();
    const { arrived, pass, open } = gate();
    replaced.accounts = async () => {
      await pass();
      return [];
    };
    const connecting = refusalOf(connect("public-1"));
    await arrived;
    purser.clock.advance(day + 1);
    await revokeUnclaimed(purser.platform);
    open();
    expect(await connecting).toBe("CONSENT_NOT_FOUND");
    await purser.drain();
    expect([await traces(), revoked.map(({ consentId }) => consentId)]).toEqual([[0, 0, 0, 0], ["item"]]);
  });

  it("is revoked at the bank after a day without a connection", async () => {
    exchangeOncePerSecret();
    const revoked = recordRevocations();
    replaced.openConsent = isDown;
    expect(await refusalOf(connect("public-1"))).toBe("PROVIDER_ERROR");
    purser.clock.advance(day);
    await housekeep();
    expect(revoked).toEqual([]);
    purser.clock.advance(1);
    await housekeep();
    expect(revoked).toEqual([
      { organizationId: teamId, institutionId: "sprout-bank", consentId: "item", token: "a token" },
    ]);
  });

  it("is revoked although the key is lost that sealed another one", async () => {
    exchangeOncePerSecret();
    const revoked = recordRevocations();
    replaced.openConsent = isDown;
    const lost = teamId;
    expect(await refusalOf(connect("public-1"))).toBe("PROVIDER_ERROR");
    teamId = await purser.organization(owner);
    expect(await refusalOf(connect("public-2"))).toBe("PROVIDER_ERROR");
    await purser.db
      .update(bankExchanges)
      .set({ token: sql`regexp_replace(${bankExchanges.token}, '^v1[.][^.]+', 'v1.99')` })
      .where(eq(bankExchanges.organizationId, lost));
    purser.clock.advance(day + 1);
    await revokeUnclaimed(purser.platform);
    await purser.drain();
    expect(revoked).toMatchObject([{ organizationId: teamId, token: "a token" }]);
    expect(await purser.db.$count(bankExchanges)).toBe(0);
  });

  it("is not revoked once a connection uses it", async () => {
    exchangeOncePerSecret();
    await connect("public-1");
    const revoked = recordRevocations();
    purser.clock.advance(2 * day);
    await housekeep();
    expect(revoked).toEqual([]);
  });

  it("is exchanged for the permanent id, and is recognized when it is passed again", async () => {
    const used = exchangeOncePerSecret();
    const first = await connect("public-1");
    expect(first.consents).toMatchObject([{ id: "item" }]);
    expect(await connect("public-1")).toEqual(first);
    expect(await connect("item")).toEqual(first);
    expect([...used]).toEqual(["public-1"]);
  });

  it("is recognized if a different secret belongs to the same consent", async () => {
    exchangeOncePerSecret();
    const { id: connectionId } = await connect("public-1");
    await banking().connections.disconnect({ teamId, connectionId });
    const again = await connect("public-2");
    expect(again).toMatchObject({ id: connectionId, status: "ACTIVE" });
    expect(await connect("public-2")).toEqual(again);
    expect(await traces()).toEqual([1, 1, 5, 2]);
  });

  it("updates what the bank grants if a new secret is passed for an existing connection", async () => {
    const sandbox = await configuredBanks(purser.platform).at("sandbox");
    let expiresAt = new Date(purser.clock.now().getTime() + 30 * day);
    exchangeOncePerSecret();
    replaced.openConsent = async (reference) => {
      const grant = await sandbox.openConsent(reference);
      return { ...grant, expiresAt, isLimit: true };
    };
    await connect("public-1");
    expiresAt = new Date(expiresAt.getTime() + 60 * day);
    expect((await connect("public-2")).consents).toMatchObject([{ id: "item", expiresAt }]);
    expect(await traces()).toEqual([1, 1, 5, 1]);
  });
});
