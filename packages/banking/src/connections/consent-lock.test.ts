import { day } from "@purser/core/testing";
import {
  type Person,
  type TestPurser,
  configuredBanks,
  createTestPurser,
  handlerOf,
  refusalOf,
} from "@purser/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { bankingJobs } from "../job-definitions.ts";
import type { BankProvider } from "../ports.ts";
import { inOtherProcess } from "../testing/other-process.ts";
import { gate } from "../testing/scripted-bank.ts";

let purser: TestPurser;
let owner: Person;
let teamId: string;
let connectionId: string;
let sandbox: BankProvider;
/** Overrides operations of the bank. All others are the sandbox's. */
let replaced: Partial<BankProvider> = {};

beforeAll(async () => {
  const at = async () => {
    sandbox ??= await configuredBanks(purser.platform).at("sandbox");
    return { ...sandbox, ...replaced };
  };
  purser = await createTestPurser({ banks: { configured: ["sandbox"], at } });
  owner = await purser.person();
});
afterAll(() => purser.close());
beforeEach(async () => {
  replaced = {};
  teamId = await purser.organization(owner);
  await connect();
  await banking().connections.disconnect({ teamId, connectionId });
});

const banking = () => purser.as(owner).banking;
const target = () => ({ provider: "sandbox" as const, providerId: "sprout-bank", consentId: "ada" });

async function connect(): Promise<void> {
  ({ id: connectionId } = await banking().connections.connect({ teamId, ...target() }));
}

function update() {
  const expiresAt = new Date(purser.clock.now().getTime() + day);
  return banking().connections.updateConsent({ teamId, connectionId, scopes: ["accounts"], expiresAt });
}

/** Runs the job that ends the consent at its bank. */
const revoke = (consentId = "ada") =>
  handlerOf(purser.handlers, bankingJobs.revoke)(
    {
      provider: "sandbox",
      access: { organizationId: teamId, institutionId: "sprout-bank", consentId, token: null },
    },
    { signal: new AbortController().signal } as never,
  );

async function expectConnected(): Promise<void> {
  await purser.drain();
  const access = { organizationId: teamId, institutionId: "sprout-bank", consentId: "ada", token: null };
  expect(await sandbox.consentStatus(access)).toMatchObject({ status: "authorized" });
  expect(await banking().connections.sync({ teamId, connectionId })).toMatchObject({ status: "ACTIVE" });
}

describe("the revocation of a consent at its bank", () => {
  it.each([
    ["connections.connect", connect],
    ["connections.updateConsent", update],
  ])("waits for %s, which gives the consent again, and then leaves it", async (_name, reconnect) => {
    const { arrived, pass, open } = gate();
    replaced = {
      accounts: async (access) => {
        await pass();
        return sandbox.accounts(access);
      },
    };
    const reconnecting = reconnect();
    await arrived;
    // It is tried again later.
    await inOtherProcess(purser, async () => expect(await refusalOf(revoke())).toBe("UNAVAILABLE"));
    open();
    await reconnecting;
    await expectConnected();
  });

  it.each([
    ["connections.connect", connect],
    ["connections.updateConsent", update],
  ])("is over before %s gives the consent again", async (_name, reconnect) => {
    const { arrived, pass, open } = gate();
    replaced = {
      revoke: async (access) => {
        await pass();
        await sandbox.revoke(access);
      },
    };
    const revoking = revoke();
    await arrived;
    await inOtherProcess(purser, async () => expect(await refusalOf(reconnect())).toBe("UNAVAILABLE"));
    open();
    await revoking;
    await reconnect();
    await expectConnected();
  });
});

describe("the connections of these locks", () => {
  it("are not those of billing", async () => {
    const { arrived, pass, open } = gate();
    replaced = { revoke: pass };
    const revoking = revoke();
    await arrived;
    const { lockDb, bankLockDb } = purser.platform;
    expect([lockDb.use.inUse, bankLockDb.use.inUse]).toEqual([0, 1]);
    open();
    await revoking;
  });

  it("are left to people by the jobs of a bank that does not answer", async () => {
    const { pass, open } = gate();
    let asked = 0;
    replaced = {
      revoke: () => {
        asked += 1;
        return pass();
      },
    };
    const revoking = Array.from({ length: 6 }, (_, index) => revoke(`hanging ${index}`));
    await expect.poll(() => asked, { timeout: 60_000 }).toBe(2);
    await connect();
    expect(asked).toBe(2);
    open();
    await Promise.all(revoking);
    expect(asked).toBe(6);
  });

  it("are not used by connections.updateConsent for a consent that is in force", async () => {
    await connect();
    const { pass, open } = gate();
    const held = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
    const holding = held.map(({ resolve }, index) =>
      purser.platform.bankLocks.run({ name: `held ${index}`, provider: "sandbox" }, () => {
        resolve();
        return pass();
      }),
    );
    await Promise.all(held.map(({ promise }) => promise));
    expect(await update()).toMatchObject({ status: "AUTHORIZED" });
    open();
    await Promise.all(holding);
  });
});
