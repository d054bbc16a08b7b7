import { describe, expect, it } from "vitest";
import { openProviders } from "./registry.ts";

describe("the configured providers", () => {
  it("are loaded on first use, once each", async () => {
    const loads: string[] = [];
    const load = (name: string) => async () => {
      loads.push(name);
      return { name };
    };
    const providers = openProviders(new Map(["first", "second"].map((name) => [name, load(name)])));
    expect([providers.configured, loads]).toEqual([["first", "second"], []]);
    const [one, again] = await Promise.all([providers.at("second"), providers.at("second")]);
    expect(one).toBe(again);
    expect(loads).toEqual(["second"]);
  });

  it("are the only ones", async () => {
    const providers = openProviders<string, object>(new Map());
    await expect(providers.at("first")).rejects.toMatchObject({ code: "PROVIDER_NOT_CONFIGURED" });
  });
});
