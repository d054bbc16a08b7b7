// @module-tag slow
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { createTestDatabase } from "@purser/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

interface LoadedVendors {
  opened: string[];
  used: string[];
}

/**
 * Opens a service with each of these variables in turn, in a process of their own, and then its first issuer. Returns the
 * vendors whose code is loaded after each step. Only a vendor's code imports its SDK (import rules), so without it no SDK
 * is loaded.
 */
function loadedVendors(...variables: Record<string, string>[]): LoadedVendors[] {
  const script = `
    import { registerHooks } from "node:module";
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    const definition = /[/](provider|settings)[.]ts$/;
    const vendors = () => [...new Set(loaded.filter((url) => !definition.test(url))
      .flatMap((url) => url.match(/[/]packages[/]providers[/]([^/]+)[/]src/)?.[1] ?? []))];
    const { readSettings } = await import(${JSON.stringify(join(import.meta.dirname, "settings.ts"))});
    const { openService } = await import(${JSON.stringify(join(import.meta.dirname, "index.ts"))});
    const none = () => undefined;
    const results = [];
    for (const variables of ${JSON.stringify(variables)}) {
      const service = await openService(readSettings({ ...process.env, ...variables }), {
        logger: { debug: none, info: none, warn: none, error: none },
      });
      const opened = vendors();
      const [issuer] = service.platform.issuers.configured;
      await service.platform.issuers.at(issuer);
      results.push({ opened, used: vendors() });
      await service.close();
    }
    console.log(JSON.stringify(results));
  `;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", script], {
    encoding: "utf8",
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      DATABASE_URL: database.url,
      AUTH_SECRET: "s".repeat(32),
      ENCRYPTION_KEYS: `1:${Buffer.alloc(32, 1).toString("base64")}`,
    },
  });
  expect(stderr).toBe("");
  return JSON.parse(stdout) as LoadedVendors[];
}

describe("the code of a vendor", () => {
  it("is not loaded without its variables, and on first use with them", () => {
    const variables = { LITHIC_API_KEY: "key", LITHIC_WEBHOOK_SECRETS: "secret" };
    expect(loadedVendors({}, variables)).toEqual([
      { opened: [], used: [] },
      { opened: [], used: ["lithic"] },
    ]);
  });
});
