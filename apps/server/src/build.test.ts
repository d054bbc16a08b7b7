// @module-tag slow
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, globSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { createTestDatabase, builtService } from "@purser/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ServiceProcess, startService, stopServices, temporaryFolder } from "@purser/testing/process";

// A folder outside the workspace, from which no dependency resolves.
const folder = temporaryFolder();
const password = "hunter2-hunter2";
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let env: Record<string, string>;
let service: ServiceProcess;

beforeAll(async () => {
  cpSync(dirname(await builtService()), folder.path, { recursive: true });
  database = await createTestDatabase();
  env = {
    NODE_ENV: "production",
    HOST: "127.0.0.1",
    BASE_URL: "http://purser.test",
    DATABASE_URL: database.url,
    AUTH_SECRET: "a secret of at least 32 characters",
    ENCRYPTION_KEYS: `1:${Buffer.alloc(32, 7).toString("base64")}`,
    SMTP_URL: "none",
    SEED_DEMO: "1",
  };
  service = await startService({ script: join(folder.path, "main.js"), env });
});
afterAll(async () => {
  await stopServices();
  await database?.drop();
  folder.remove();
});

const get = (path: string) => fetch(service.url + path);

describe("the built service in production", () => {
  it("serves API, pages and reference from its own folder alone", async () => {
    for (const path of [
      "/",
      "/docs",
      "/docs/guide",
      "/docs/webhooks",
      "/docs/problems",
      "/sign-in",
      "/openapi.json",
      "/metrics",
      "/docs/cards",
      "/assets/purser.css",
      "/assets/reference.css",
    ]) {
      expect((await get(path)).status, path).toBe(200);
    }
  });

  it("seeds no data and hides /dev/mail, whatever the environment says", async () => {
    expect((await get("/dev/mail")).status).toBe(404);
    const response = await fetch(`${service.url}/api/auth/sign-in/email`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: "owner@demo.example", password: "purser-demo-1" }),
    });
    expect(response.status).toBe(401);
  });

  it("logs one JSON object per request, without request data", async () => {
    const signUp = await fetch(`${service.url}/api/auth/sign-up/email?secret=hunter2`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-request-id": "trace-of-sign-up" },
      body: JSON.stringify({ name: "Sam", email: "hunter2@example.com", password }),
    });
    expect(signUp.status).toBe(200);
    const token = signUp.headers.get("set-auth-token") ?? "";
    const { user } = (await signUp.json()) as { user: { id: string } };
    const listed = await fetch(`${service.url}/api/organizations?userId=${user.id}&limit=1`, {
      headers: { authorization: `Bearer ${token}`, "x-request-id": "trace-of-list" },
    });
    expect(listed.status).toBe(200);

    const lines = () =>
      service
        .output()
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    await expect
      .poll(() => lines().find(({ requestId }) => requestId === "trace-of-list"))
      .toMatchObject({
        level: "info",
        method: "GET",
        route: "/api/organizations",
        status: 200,
        ms: expect.any(Number),
        userId: user.id,
      });
    expect(service.output()).not.toMatch(/hunter2|limit=1|secret of at least/);
    expect(service.output()).not.toContain(token.split(".")[0]);
  });

  it("logs the port that the system chose once it is ready", async () => {
    await expect
      .poll(service.output)
      .toMatch(new RegExp(`"port":${service.port},"baseUrl":"http://purser.test","msg":"ready"`));
  });

  it.each(["main.js", "purser.js"])("says in %s which Node it needs, on an older one", (script) => {
    // The check reads the version when the script is loaded, before it loads what an older Node cannot.
    const older = `data:text/javascript,Object.defineProperties(process,{version:{value:"v20.20.2"},versions:{value:{node:"20.20.2"}}})`;
    const { status, stderr } = spawnSync(process.execPath, ["--import", older, join(folder.path, script)], {
      encoding: "utf8",
    });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr:
        "Purser needs Node 22.18 or newer, and this is v20.20.2. Install one, such as from nodejs.org, or use the Dockerfile.\n",
    });
  });

  it("fills a compile cache by a start without its database, as the image does", () => {
    const cache = join(folder.path, "compile-cache");
    const start = () => {
      const { status } = spawnSync(process.execPath, [join(folder.path, "main.js")], {
        env: {
          NODE_ENV: "development",
          DATA_DIR: join(folder.path, "none"),
          DATABASE_URL: "postgres://127.0.0.1:1/none",
          NODE_COMPILE_CACHE: cache,
        },
      });
      const files = globSync("*/*", { cwd: cache });
      const written = files.map((file) => [file, statSync(join(cache, file)).mtimeMs]);
      return { status, written };
    };
    const first = start();
    expect(first.status).toBe(1);
    // 60 of them. The settings alone, with which a start without them ends, are 20.
    expect(first.written.length).toBeGreaterThan(40);
    expect(start()).toEqual(first);
  });

  it("includes the operators' commands", () => {
    const help = execFileSync(process.execPath, [join(folder.path, "purser.js"), "--help"], {
      env,
      encoding: "utf8",
    });
    expect(help).toMatch(/Usage: purser/);
  });

  it("exits cleanly", async () => {
    const { code, ms } = await service.stop("SIGTERM");
    expect(code).toBe(0);
    expect(ms).toBeLessThan(10_000);
  });
});
