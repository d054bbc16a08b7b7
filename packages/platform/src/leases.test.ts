import { describe, expect, it } from "vitest";
import { whileRenewing } from "./leases.ts";

describe("whileRenewing", () => {
  it("renews until the work ends, and again after a renewal that failed", async () => {
    const logged: string[] = [];
    const log = (_: object, message: string) => void logged.push(message);
    const logger = { debug: log, info: log, warn: log, error: log };
    const done = Promise.withResolvers<string>();
    let renewals = 0;
    const renew = async () => {
      renewals += 1;
      if (renewals === 1) throw new Error("The database is away");
      if (renewals === 3) done.resolve("done");
    };
    expect(await whileRenewing({ logger }, renew, () => done.promise, 5)).toBe("done");
    expect(renewals).toBe(3);
    expect(logged).toEqual(["A lease was not renewed"]);
  });
});
