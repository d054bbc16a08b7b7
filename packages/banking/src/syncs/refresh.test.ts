import { day, minute } from "@purser/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BankError } from "../ports.ts";
import {
  type ScriptedTeam,
  bankAccount,
  createScriptedTeam,
  log,
  payment,
} from "../testing/scripted-bank.ts";
import { scheduleSyncs } from "./service/schedule.ts";

let team: ScriptedTeam;
beforeAll(async () => {
  team = await createScriptedTeam();
});
afterAll(() => team.purser.close());

/** A provider that reads a payment only after a refresh. */
async function begin(): Promise<{ refreshes: number }> {
  team.purser.clock.set("2026-03-02T09:00:00Z");
  const state = { refreshes: 0 };
  await team.begin({
    refresh: async () => void (state.refreshes += 1),
    changes: (...request) => log([{ added: state.refreshes > 0 ? [payment()] : [] }]).changes(...request),
  });
  await team.purser.drain();
  return state;
}

describe("a provider that can read the bank on request", () => {
  it("reads it before a sync that a person requests", async () => {
    const state = await begin();
    expect([state.refreshes, await team.rows()]).toEqual([0, []]);
    expect(await team.sync()).toBe("ok");
    expect([state.refreshes, (await team.rows()).length]).toEqual([1, 1]);
  });

  it("is requested again only if the bank was read five minutes ago or more, because each refresh costs money", async () => {
    const state = await begin();
    const { clock } = team.purser;
    let bankReadAt: Date | null = null;
    Object.assign(team.script, {
      consentStatus: async () => ({ status: "authorized", expiresAt: null, bankReadAt }),
      refresh: async () => {
        state.refreshes += 1;
        bankReadAt = clock.now();
      },
    });
    const refreshes: number[] = [];
    for (const wait of [0, 1, 5 * minute - 2, 1, minute]) {
      clock.advance(wait);
      expect(await team.sync()).toBe("ok");
      refreshes.push(state.refreshes);
    }
    expect(refreshes).toEqual([1, 1, 1, 2, 2]);
  });

  it("is not requested by a program with an API key, because each refresh costs money", async () => {
    const state = await begin();
    const { purser, owner, teamId, connectionId } = team;
    const program = purser.as({ ...owner, credential: "api-key" }, { address: "192.0.2.1" });
    await program.banking.connections.sync({ teamId, connectionId });
    const [latest] = await purser.as(owner).banking.syncs.list({ teamId });
    expect(latest).toMatchObject({ trigger: "MANUAL", status: "SUCCEEDED" });
    expect(state.refreshes).toBe(0);
  });

  it("is not requested by the schedule", async () => {
    const state = await begin();
    team.purser.clock.advance(day);
    await scheduleSyncs(team.purser.platform);
    await team.purser.drain();
    const [latest] = await team.purser.as(team.owner).banking.syncs.list({ teamId: team.teamId });
    expect(latest).toMatchObject({ trigger: "SCHEDULE", status: "SUCCEEDED" });
    expect(state.refreshes).toBe(0);
  });

  it("reads it once, also if the sync merges accounts and reads the connection again", async () => {
    let identifiers: string[] = [];
    const state = { refreshes: 0 };
    await team.begin({
      refresh: async () => void (state.refreshes += 1),
      accounts: async ({ consentId }) => [
        bankAccount({ externalId: consentId, identifiers: consentId === "first" ? ["iban:1"] : identifiers }),
      ],
      changes: log([]).changes,
    });
    expect(await team.sync()).toBe("ok");
    team.purser.clock.advance(60_000);
    const second = await team.connect("second");
    expect(await team.sync(second)).toBe("ok");
    const { teamId, connectionId } = team;
    await team.purser.as(team.owner).banking.connections.disconnect({ teamId, connectionId });
    identifiers = ["iban:1"];
    state.refreshes = 0;
    expect(await team.sync(second)).toBe("ok");
    expect([state.refreshes, (await team.accounts()).length]).toEqual([1, 1]);
  });

  it("does not prevent the sync if it fails", async () => {
    await begin();
    team.script.refresh = () => Promise.reject(new BankError("outage", "the bank does not respond"));
    team.script.changes = log([{ added: [payment()] }]).changes;
    expect(await team.sync()).toBe("ok");
    expect(await team.rows()).toHaveLength(1);
  });
});
