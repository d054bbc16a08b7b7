import { globSync, readFileSync, readdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { environmentTable } from "../packages/service/src/settings.ts";

const root = resolve(import.meta.dirname, "..");
const made = new Set(["node_modules", "dist", ".purser", ".git", ".env", ".cache"]);
const places = ["**/*", ".changeset/**/*", ".ci/**/*", ".config/**/*"];
const files = globSync(places, { cwd: root, withFileTypes: true, exclude: ({ name }) => made.has(name) })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
const read = (file: string) => readFileSync(join(root, file), "utf8");

/** What people write. The rest is generated, or history that is never edited. */
const written = files.filter(
  (file) =>
    !/^packages\/(db\/migrations|client\/src\/generated)\/|^patches\/|^pnpm-lock\.yaml$/.test(file) &&
    !file.endsWith("/providers/yapily/src/api.generated.ts"),
);
const code = written.filter((file) => /\.(ts|js|mjs|cjs)$/.test(file));
const texts = written.filter((file) =>
  /(\.(ts|js|mjs|cjs|css|sql|md|json|ya?ml|svg)|\.ci\/run|Dockerfile)$/.test(file),
);

const topLevel = new Set([
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
  "tsconfig.base.json",
]);

/** Files over the limit, each with its reason. */
const longFiles: Record<string, string> = {};
const maximumLines = 300;

describe("the repository", () => {
  it("has a top level that is a table of contents", () => {
    const visible = readdirSync(root).filter((name) => !made.has(name) && !name.startsWith("."));
    expect(visible.filter((name) => !topLevel.has(name))).toEqual([]);
  });

  it("has no file that is named for nothing in particular", () => {
    const vague = /^(utils?|helpers?|common|types|misc|shared|lib)(\.|$)/;
    expect(files.filter((file) => file.split("/").some((part) => vague.test(part)))).toEqual([]);
  });

  it("has no source file that one cannot keep in mind", () => {
    const lines = (file: string) => read(file).trimEnd().split("\n").length;
    const long = code.filter((file) => lines(file) > maximumLines);
    expect(long.toSorted()).toEqual(Object.keys(longFiles).toSorted());
  });

  it("leaves nothing for later", () => {
    // Put together, so that this file does not speak of itself.
    const later = new RegExp(`\\b(${["TO", "FIX"].join("DO|")}ME)\\b`);
    expect(texts.filter((file) => later.test(read(file)))).toEqual([]);
  });

  it("runs all of its tests", () => {
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
  /** Versions below these have published holes, or defects that this service would meet. */
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

  it("are pinned: what was tested is what is installed", () => {
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
  // Each part as wide as any can be, so that texts sort as versions do.
  const sortable = (text: string) => text.replaceAll(/\d+/g, (part) => part.padStart(6, "0"));
  return sortable(version) < sortable(minimum);
}

describe("the records of decisions", () => {
  const folder = "docs/decisions";
  const names = readdirSync(join(root, folder));

  it("are numbered, each by a number of its own", () => {
    const numbers = names.map((name) => /^(\d{4})-[a-z0-9-]+\.md$/.exec(name)?.[1]);
    expect(numbers).not.toContain(undefined);
    expect(numbers).toEqual([...new Set(numbers)]);
  });

  it("are one page each", () => {
    const pages = names.map((name) => ({ name, text: read(join(folder, name)) }));
    const longer = pages.filter(({ text }) => text.split("\n").length > 60 || text.length > 4500);
    expect(longer.map(({ name }) => name)).toEqual([]);
  });
});

describe("README.md", () => {
  it("lists every variable of the environment as the service reads it", () => {
    const [, after = ""] = read("README.md").split("<!-- environment:begin -->");
    expect(cells(after.split("<!-- environment:end -->")[0] ?? "")).toEqual(cells(environmentTable()));
  });
});

/** The rows of a table in Markdown, which the formatter may have aligned. */
function cells(table: string): string[][] {
  const rows = table.split("\n").filter((line) => line.startsWith("|"));
  return rows.map((row) => row.split("|").map((cell) => cell.trim().replace(/^-+$/, "-")));
}
