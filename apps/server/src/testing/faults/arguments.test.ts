import { describe, expect, it } from "vitest";
import { readArguments } from "./arguments.ts";
import { citusFaultNames, faultNames } from "./catalog.ts";
import { roundsOf } from "./run.ts";

describe("the command line of pnpm test:faults", () => {
  it("runs three seeds for 20 seconds each, with every fault, by default", () => {
    const defaults = { seeds: [1, 2, 3], rounds: Infinity, seconds: 20, faults: faultNames, write: false };
    expect(readArguments([])).toMatchObject(defaults);
  });

  it("has no time limit with a number of rounds", () => {
    const again = ["--seed", "53", "--rounds", "9"];
    expect(readArguments(again)).toMatchObject({ seeds: [53], rounds: 9, seconds: Infinity });
    expect(readArguments([...again, "--seconds", "5"])).toMatchObject({ rounds: 9, seconds: 5 });
  });

  it("soaks for minutes or hours", () => {
    expect(readArguments([])).toMatchObject({ soakMinutes: null });
    expect(readArguments(["--soak", "60m", "--seed", "4"])).toMatchObject({ soakMinutes: 60, seeds: [4] });
    expect(readArguments(["--soak", "8h"])).toMatchObject({ soakMinutes: 480 });
    expect(() => readArguments(["--soak", "8h", "--rounds", "3"])).toThrow(/without rounds/);
  });

  it("puts faults in a fixed order", () => {
    const { faults } = readArguments(["--faults", "stop a server, kill a server"]);
    expect(faults).toEqual(["kill a server", "stop a server"]);
  });

  it("offers on a Citus cluster the faults of its nodes, and none of a standby or a small disk", () => {
    const { faults } = readArguments([], { isDistributed: true });
    expect(faults).toEqual(citusFaultNames);
    expect(faults.filter((name) => !faultNames.includes(name))).toEqual([
      "kill a node",
      "cut off a node",
      "break a node's network",
      "move an organization",
    ]);
    expect(faultNames.filter((name) => !faults.includes(name))).toEqual(["fill the disk", "fail over"]);
  });

  it.each([
    [
      false,
      "kill a node",
      '"kill a node" needs a Citus cluster: set DISTRIBUTED_DATABASE_URL to a database of its coordinator',
    ],
    [true, "fail over", '"fail over" needs an embedded PostgreSQL: unset DISTRIBUTED_DATABASE_URL'],
  ])("says what a fault needs that another PostgreSQL has", (isDistributed, fault, message) => {
    expect(() => readArguments(["--faults", fault], { isDistributed })).toThrow(message);
  });

  it("lightens the load for a busy machine, but not that of a soak", () => {
    expect(readArguments(["--busy"])).toMatchObject({ busy: true });
    expect(() => readArguments(["--busy", "--soak", "60m"])).toThrow(/leave out --busy/);
  });

  it.each([
    [
      "--faults",
      "kil a server",
      /^There is no fault "kil a server"\. Choose from: kill a server, .*move the worker's clock$/,
    ],
    ["--faults", "", /^There is no fault ""/],
    ["--seeds", "abc", /^--seeds takes a whole number from 1, not "abc"$/],
    ["--seed", "0", /--seed takes a whole number/],
    ["--rounds", "1.5", /--rounds takes a whole number/],
    ["--soak", "60", /^--soak takes minutes or hours, as in 60m or 8h, not "60"$/],
    ["--seconds", "", /--seconds takes a whole number/],
  ])("rejects %s %j and names the valid choices", (option, value, message) => {
    expect(() => readArguments([option, value])).toThrow(message);
  });

  it("rejects --seed together with --seeds", () => {
    expect(() => readArguments(["--seed", "2", "--seeds", "3"])).toThrow(/only one of the two/);
  });
});

describe("the rounds of a seed", () => {
  it("are reproducible, as many as requested, and use every fault before one repeats", () => {
    const rounds = [...roundsOf(faultNames, 53, 30)];
    expect(rounds).toHaveLength(30);
    expect([...roundsOf(faultNames, 53, 9)]).toEqual(rounds.slice(0, 9));
    expect([...roundsOf(faultNames, 54, 9)]).not.toEqual(rounds.slice(0, 9));
    expect(new Set(rounds.flat().slice(0, faultNames.length)).size).toBe(faultNames.length);
  });
});
