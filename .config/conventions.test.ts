import { globSync, readFileSync, readdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "..");
const generated = new Set(["node_modules", "dist", ".purser", ".git", ".env", ".cache"]);
const patterns = ["**/*", ".*.{json,cjs}", ".{changeset,ci,config,github}/**/*"];
const files = globSync(patterns, {
  cwd: root,
  withFileTypes: true,
  exclude: ({ name }) => generated.has(name),
})
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
const read = (file: string) => readFileSync(join(root, file), "utf8");

/** Files that people write. The others are generated, or are migrations, which never change. */
const written = files.filter(
  (file) =>
    !/^packages\/(db\/migrations|client\/src\/generated)\/|^patches\/|^pnpm-lock\.yaml$/.test(file) &&
    !file.endsWith("/providers/yapily/src/api.generated.ts") &&
    !file.endsWith("/routeTree.gen.ts"),
);
const code = written.filter((file) => /\.(ts|js|mjs|cjs)$/.test(file));
const texts = written.filter((file) =>
  /(\.(ts|js|mjs|cjs|css|sql|md|json|ya?ml|svg)|\.ci\/run|Dockerfile)$/.test(file),
);

const topLevel = new Set([
  "CONTRIBUTING.md",
  "Dockerfile",
  "LICENSE",
  "README.md",
  "SECURITY.md",
  "apps",
  "bench",
  "docs",
  "packages",
  "patches",
  "drizzle.config.ts",
  "package.json",
  "pnpm-lock.yaml",
  "pnpm-workspace.yaml",
  "redocly.yaml",
  "tsconfig.base.json",
  "tsconfig.json",
  "vitest.config.ts",
]);

/** What is read together stays in one file. This is against files that grow unnoticed. */
const maxLines = 350;

describe("the repository", () => {
  it("has a top level that reads as a table of contents", () => {
    const visible = readdirSync(root).filter((name) => !generated.has(name) && !name.startsWith("."));
    expect(visible.filter((name) => !topLevel.has(name))).toEqual([]);
  });

  it("has no file with a vague name", () => {
    const vague = /^(utils?|helpers?|common|types|misc|shared|lib)(\.|$)/;
    expect(files.filter((file) => file.split("/").some((part) => vague.test(part)))).toEqual([]);
  });

  it("names no rule like a service, so that nobody opens the wrong one", () => {
    const rules = code.filter((file) => file.includes("/rules/") && !file.endsWith(".test.ts"));
    expect(rules.length).toBeGreaterThan(10);
    expect(rules.filter((file) => files.includes(file.replace("/rules/", "/service/")))).toEqual([]);
  });

  it(`has no source file over ${maxLines} lines`, () => {
    const lines = (file: string) => read(file).trimEnd().split("\n").length;
    expect(code.filter((file) => lines(file) > maxLines)).toEqual([]);
  });

  it("leaves nothing for later", () => {
    // Assembled from parts, or this file would match.
    const later = new RegExp(`\\b(${["TO", "FIX"].join("DO|")}ME)\\b`);
    expect(texts.filter((file) => later.test(read(file)))).toEqual([]);
  });

  it("skips no test", () => {
    const narrowed = /\b(describe|it|test)(\.\w+)*\.(only|skip|todo)\b|\bf(describe|it)\(/;
    const tests = code.filter((file) => file.endsWith(".test.ts"));
    expect(tests.filter((file) => narrowed.test(read(file)))).toEqual([]);
  });

  it("silences a check only with a reason beside it", () => {
    const silenced = /@ts-(ignore|nocheck)|@ts-expect-erro[r](?! \w)|\b(ox|es)lint-disable(?!.* -- \w)/;
    expect(code.filter((file) => silenced.test(read(file)))).toEqual([]);
  });
});

describe("the dependencies", () => {
  /** Lower versions have published vulnerabilities, or bugs that affect this service. */
  const safe = {
    hono: "4.12.34",
    "@hono/node-server": "2.1.8",
    "@trpc/server": "11.8.0",
    "better-auth": "1.6.14",
    "drizzle-orm": "0.45.2",
    vitest: "4.1.8",
  };
  const locked = [...read("pnpm-lock.yaml").matchAll(/^ {2}'?(@?[^@\s']+)@(\d+\.\d+\.\d+)[^\s':]*'?:$/gm)];

  it.each(Object.entries(safe))("have no %s below %s", (name, minimum) => {
    const versions = locked
      .filter(([, locksName]) => locksName === name)
      .map(([, , version = ""]) => version);
    expect(versions.length).toBeGreaterThan(0);
    expect(versions.filter((version) => isBelow(version, minimum))).toEqual([]);
  });

  it("are pinned, so an install gets the versions that were tested", () => {
    const manifests = files
      .filter((file) => basename(file) === "package.json")
      .map((file) => JSON.parse(read(file)) as Manifest);
    const ranges = manifests.flatMap(({ name, ...manifest }) =>
      (["dependencies", "devDependencies", "optionalDependencies"] as const).flatMap((kind) =>
        Object.entries(manifest[kind] ?? {})
          .filter(([, range]) => !/^(catalog:|workspace:\*|(npm:\S+@)?\d+\.\d+\.\d+[\w.-]*)$/.test(range))
          .map(([dependency, range]) => `${name}: ${dependency} ${range}`),
      ),
    );
    expect(ranges).toEqual([]);
  });
});

interface Manifest extends Partial<
  Record<"dependencies" | "devDependencies" | "optionalDependencies", Record<string, string>>
> {
  name: string;
}

function isBelow(version: string, minimum: string): boolean {
  // Zero-padded parts sort as text in the order of versions.
  const sortable = (text: string) => text.replaceAll(/\d+/g, (part) => part.padStart(6, "0"));
  return sortable(version) < sortable(minimum);
}
