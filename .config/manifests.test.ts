import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";

/**
 * A package imports only what its package.json declares (the import rule `declared-dependencies-only`), so the
 * manifests decide which package knows which library.
 */
const root = resolve(import.meta.dirname, "..");
const manifests = new Map(
  globSync(["{apps,packages,packages/providers}/*/package.json", "bench/package.json"], { cwd: root }).map(
    (file) => [dirname(file), JSON.parse(readFileSync(join(root, file), "utf8")) as Manifest],
  ),
);

interface Manifest extends Partial<Record<(typeof kinds)[number], Record<string, string>>> {
  name: string;
}

const kinds = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"] as const;
const areas = ["organizations", "banking", "cards", "billing", "events"].map((area) => `packages/${area}`);
const generators = "packages/openapi-generators";
const vendors = [...manifests.keys()].filter((folder) => folder.startsWith("packages/providers/"));

/** The packages that may know each library. Those of `testedWith` may know it in their tests alone. */
const knownBy: Record<string, string[]> = {
  hono: ["apps/server", "bench"],
  marked: ["apps/server"],
  "@hono/node-server": ["apps/server", "bench"],
  "@trpc/server": ["apps/server", "packages/client", "packages/router"],
  "@trpc/client": ["packages/client"],
  "@trpc/tanstack-react-query": ["packages/client"],
  "better-auth": ["packages/identity"],
  "@better-auth/api-key": ["packages/identity"],
  "better-call": ["packages/identity"],
  "pg-boss": ["packages/platform"],
  nodemailer: ["packages/platform"],
  postgres: ["bench", "packages/db"],
  pino: ["apps/server"],
  "prom-client": ["apps/server"],
  commander: ["apps/cli"],
};

const testedWith: Record<string, string[]> = {
  // The server's streams are read by tRPC's own client.
  "@trpc/client": ["apps/server"],
};

describe("the manifests", () => {
  it("let dev install no package that only tests or checks need", () => {
    const byName = new Map([...manifests.values()].map((manifest) => [manifest.name, manifest]));
    const installed = new Set<string>();
    const add = (name: string): void => {
      if (installed.has(name)) return;
      installed.add(name);
      Object.keys(byName.get(name)?.dependencies ?? {}).forEach(add);
    };
    const script = readFileSync(join(root, ".config/install.sh"), "utf8");
    const apps = [...script.matchAll(/--filter-prod '(\S+?)\.\.\.'/g)].map(([, name = ""]) => name);
    expect(apps).toEqual(["@purser/server", "@purser/cli", "@purser/console"]);
    apps.forEach(add);
    const onlyForTests = [
      "@purser/testing",
      "vitest",
      "typescript",
      "playwright-core",
      "fast-check",
      "exceljs",
    ];
    expect(onlyForTests.filter((name) => installed.has(name))).toEqual([]);
  });

  it("let no optional peer bring a tool of another package along", () => {
    const lockfile = readFileSync(join(root, "pnpm-lock.yaml"), "utf8");
    const resolved = [...lockfile.matchAll(/^  '?(?:better-auth|@trpc\/server)@\S*\(.*$/gm)].map(String);
    expect(resolved).not.toEqual([]);
    expect(resolved.filter((name) => /\((?:vitest|vue|react|typescript|drizzle-kit)@/.test(name))).toEqual(
      [],
    );
  });

  it.each(Object.entries(knownBy))("let %s be known only by its owners", (library, owners) => {
    const testers = testedWith[library] ?? [];
    expect(foldersThatDeclare(library).toSorted()).toEqual([...owners, ...testers].toSorted());
    for (const tester of testers)
      expect(manifests.get(tester), tester).not.toHaveProperty(["dependencies", library]);
  });

  it.each(areas)("keep %s free of transports and vendors", (area) => {
    const libraries = Object.keys(manifests.get(area)?.dependencies ?? {}).filter((name) => !isOurs(name));
    expect(libraries.toSorted()).toEqual(["drizzle-orm", "zod"]);
  });

  it.each(vendors)("let no package but %s know its SDK", (vendor) => {
    const libraries = Object.keys(manifests.get(vendor)?.dependencies ?? {}).filter(
      (name) => !isOurs(name) && name !== "zod",
    );
    // A generator's runtime may also be a vendor's SDK.
    const foldersOf = (library: string) =>
      foldersThatDeclare(library).filter((folder) => folder !== generators);
    expect(libraries.map((library) => [library, foldersOf(library)])).toEqual(
      libraries.map((library) => [library, [vendor]]),
    );
  });

  it("let only the service and the harness depend on vendors, and the server on the page that Paddle needs", () => {
    const names = vendors.map((vendor) => manifests.get(vendor)!.name);
    const dependents = [...manifests.keys()].filter((folder) =>
      names.some((name) => name in (manifests.get(folder)?.dependencies ?? {})),
    );
    expect(dependents.toSorted()).toEqual(["apps/server", "packages/service", "packages/testing"]);
  });

  it("have a start script that asks for a build first", () => {
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      scripts: { start: string };
    };
    const { status, stderr } = spawnSync("sh", ["-c", scripts.start], { cwd: tmpdir(), encoding: "utf8" });
    expect({ status, stderr }).toEqual({ status: 1, stderr: "Purser is not built. Run: pnpm build\n" });
  });

  it("let the peers of the benchmark pin their versions, and share ours", () => {
    const peers = JSON.parse(
      readFileSync(join(root, "bench/peers/servers/package.json"), "utf8"),
    ) as Required<Manifest>;
    const workspace = readFileSync(join(root, "pnpm-workspace.yaml"), "utf8");
    const ours = new Map(
      [...workspace.matchAll(/^ {2}"?([^\s":]+)"?: (\d\S+)$/gm)].map(([, name, version]) => [name, version]),
    );
    expect(ours.get("hono")).toMatch(/^\d/);
    for (const [name, version] of Object.entries(peers.dependencies)) {
      expect([name, version]).toEqual([name, ours.get(name) ?? expect.stringMatching(/^\d+\.\d+\.\d+$/)]);
    }
  });

  it("publish a client without dependencies", () => {
    expect(manifests.get("packages/client")).not.toHaveProperty("dependencies");
  });
});

function foldersThatDeclare(library: string): string[] {
  const declares = (manifest: Manifest) => kinds.some((kind) => library in (manifest[kind] ?? {}));
  return [...manifests].filter(([, manifest]) => declares(manifest)).map(([folder]) => folder);
}

function isOurs(name: string): boolean {
  return name.startsWith("@purser/");
}
