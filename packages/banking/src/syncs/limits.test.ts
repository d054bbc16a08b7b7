import { day, hour } from "@purser/core/testing";
import { bankSyncs } from "@purser/db";
import { createContext, leaseMs } from "@purser/platform";
import { createCaller, problemOf } from "@purser/testing";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Access } from "../ports.ts";
import {
  type ScriptedTeam,
  bankAccount,
  createScriptedTeam,
  gate,
  list,
  log,
  payment,
} from "../testing/scripted-bank.ts";

let team: ScriptedTeam;
beforeAll(async () => {
  team = await createScriptedTeam();
});
afterAll(() => team.purser.close());

const everything = ["accounts", "balances", "transactions"];

/** Limits the consent of the team to these scopes. */
async function limitTo(scopes: string[]): Promise<void> {
  const { purser, owner, teamId, connectionId } = team;
  const expiresAt = new Date(purser.clock.now().getTime() + 90 * day);
  await purser.as(owner).banking.connections.updateConsent({ teamId, connectionId, scopes, expiresAt });
}

describe("a sync of a consent that the team limits", () => {
  it("reads no transactions without their scope, and catches up once it is back", async () => {
    const feed = log([{ added: [payment()] }, { added: [payment({ externalId: "t2" })] }]);
    await team.begin({ changes: feed.changes });
    expect(await team.sync()).toBe("ok");
    await limitTo(["accounts", "balances"]);
    expect(await team.sync()).toBe("ok");
    expect(feed.requests).toEqual([null]);
    expect(await team.rows()).toHaveLength(1);
    await limitTo(everything);
    expect(await team.sync()).toBe("ok");
    expect(feed.requests).toEqual([null, "c1"]);
    expect(await team.rows()).toHaveLength(2);
  });

  it("catches up with the days of a bank that is read by days", async () => {
    const bank = list([payment()]);
    await team.begin({ feed: "window", transactions: bank.transactions });
    await team.sync();
    await limitTo(["accounts"]);
    team.purser.clock.advance(30 * day);
    await team.sync();
    await limitTo(everything);
    await team.sync();
    const days = bank.requests.map(([, from]) => from);
    expect(days).toHaveLength(2);
    expect(Date.parse(days[1]!)).toBeLessThan(team.purser.clock.now().getTime() - 43 * day);
  });

  it("keeps the balances without their scope", async () => {
    let balance = 1000;
    await team.begin({
      accounts: async () => [bankAccount({ balance }), bankAccount({ externalId: "new", balance })],
    });
    balance = 2000;
    await limitTo(["accounts", "transactions"]);
    await team.sync();
    expect((await team.accounts()).map((row) => row.balance)).toEqual([1000, 1000]);
    await limitTo(everything);
    await team.sync();
    expect((await team.accounts()).map((row) => row.balance)).toEqual([2000, 2000]);
  });

  it("reads nothing without the scope of accounts, and continues where it stopped once it is back", async () => {
    const feed = log([{}]);
    await team.begin({ changes: feed.changes });
    await team.sync();
    let reads = 0;
    team.script.accounts = async () => {
      reads += 1;
      return [bankAccount()];
    };
    await limitTo(["transactions"]);
    expect(await team.sync()).toBe("ok");
    expect(reads).toBe(0);
    expect(await team.accounts()).toHaveLength(1);
    await limitTo(everything);
    expect(await team.sync()).toBe("ok");
    expect(feed.requests).toEqual([null, "c1"]);
  });
});

describe("a sync of a consent whose scopes the bank does not limit", () => {
  it.each([
    ["another naming", ["accounts:read", "transactions:read"]],
    ["upper case", ["ACCOUNTS"]],
    ["one scope for everything", ["read"]],
  ])("reads everything if the team names no usual scope, as in %s", async (_naming, scopes) => {
    let balance = 1000;
    await team.begin({
      accounts: async () => [bankAccount({ balance })],
      changes: log([{ added: [payment()] }, { added: [payment({ externalId: "t2" })] }]).changes,
    });
    await limitTo(scopes);
    balance = 2000;
    for (let count = 0; count < 2; count += 1) expect(await team.sync()).toBe("ok");
    expect(await team.rows()).toHaveLength(2);
    expect(await team.accounts()).toMatchObject([{ balance: 2000, isBalanceCurrent: true }]);
  });
});

describe("a sync that a user requests", () => {
  /** The addresses with which the bank was read, and whether the last sync counts as attended. */
  async function readAs(address: string | undefined, credential: "cookie" | "api-key") {
    await team.begin();
    await team.purser.drain();
    const addresses: (string | undefined)[] = [];
    team.script.accounts = async ({ personAddress }: Access) => {
      addresses.push(personAddress);
      return [bankAccount()];
    };
    const { purser, owner, teamId, connectionId } = team;
    const request = { requestId: "req", fromTrustedOrigin: true, idempotencyKey: null, address };
    const context = createContext(purser.platform, { ...request, caller: { ...owner, credential } });
    await createCaller(() => context).banking.connections.sync({ teamId, connectionId });
    const [health] = await purser.as(owner).banking.connections.health({ teamId });
    return { addresses, quotaRemaining: health!.quotaRemaining! };
  }

  it("passes the user's address to the bank, and does not count as unattended", async () => {
    const attended = await readAs("192.0.2.7", "cookie");
    expect(attended.addresses).toEqual(["192.0.2.7"]);
    const unattended = await readAs(undefined, "cookie");
    expect(unattended.addresses).toEqual([undefined]);
    expect(unattended.quotaRemaining).toBe(attended.quotaRemaining - 1);
  });

  it("counts as unattended with an API key, behind which there is a program", async () => {
    expect((await readAs("192.0.2.7", "api-key")).addresses).toEqual([undefined]);
  });
});

describe("a sync without a user", () => {
  /** Syncs as a program with an API key does. */
  const syncAsProgram = () => {
    const { purser, owner, teamId, connectionId } = team;
    const program = purser.as({ ...owner, credential: "api-key" }, { address: "192.0.2.7" });
    return program.banking.connections.sync({ teamId, connectionId });
  };
  const problem = () =>
    syncAsProgram().then(
      () => null,
      (error: unknown) => problemOf(error),
    );

  it("is refused until the bank may be read again, once it was read four times in 24 hours", async () => {
    let reads = 0;
    await team.begin({
      accounts: async () => {
        reads += 1;
        return [bankAccount()];
      },
    });
    await team.purser.drain();
    for (let count = 0; count < 3; count += 1) {
      team.purser.clock.advance(hour);
      await syncAsProgram();
    }
    const before = reads;
    team.purser.clock.advance(hour + 500);
    expect(await problem()).toMatchObject({ code: "RATE_LIMITED", retryAfterSeconds: 20 * 60 * 60 });
    await team.purser.drain();
    expect(reads).toBe(before);
    // A user who is present lifts the limit.
    expect(await team.sync()).toBe("ok");
    team.purser.clock.advance(20 * hour);
    expect(await problem()).toBeNull();
    expect(reads).toBe(before + 2);
  });

  it("is refused also while the last read that the bank allows goes on", async () => {
    await team.begin();
    await team.purser.drain();
    await syncAsProgram();
    await syncAsProgram();
    const { arrived, pass, open } = gate();
    team.script.accounts = async () => {
      await pass();
      return [bankAccount()];
    };
    const last = problem();
    await arrived;
    expect(await problem()).toMatchObject({ code: "RATE_LIMITED" });
    open();
    expect(await last).toBeNull();
  });
});

describe("a sync of a slow bank", () => {
  it("has a heartbeat although the bank sends nothing", async () => {
    const isRequested = Promise.withResolvers<void>();
    const answers = Promise.withResolvers<void>();
    await team.begin();
    await team.purser.drain();
    team.script.accounts = async () => {
      isRequested.resolve();
      await answers.promise;
      return [bankAccount()];
    };
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    try {
      const result = team.sync();
      await isRequested.promise;
      team.purser.clock.advance(1000);
      vi.advanceTimersByTime(leaseMs - 1);
      const { db, clock } = team.purser;
      await expect
        .poll(() => db.select().from(bankSyncs).where(eq(bankSyncs.status, "RUNNING")))
        .toMatchObject([{ organizationId: team.teamId, heartbeatAt: clock.now() }]);
      answers.resolve();
      expect(await result).toBe("ok");
    } finally {
      vi.useRealTimers();
    }
  });
});
