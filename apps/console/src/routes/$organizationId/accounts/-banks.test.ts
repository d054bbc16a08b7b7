import { describe, expect, it } from "vitest";
import { sentenceOfSync } from "./-banks.ts";

describe("the sentence after a sync", () => {
  it("says that the bank is up to date only if the sync has ended", () => {
    expect(sentenceOfSync("Sandbox Bank", { status: "SUCCEEDED" })).toBe("Sandbox Bank is up to date");
    for (const sync of [{ status: "RUNNING" }, { status: "QUEUED" }, undefined] as const)
      expect(sentenceOfSync("Sandbox Bank", sync)).toMatch(/^Sandbox Bank is still being read\./);
  });
});
