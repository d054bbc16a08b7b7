// @module-tag slow
import { execFile } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { basename, delimiter, join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { day } from "@purser/core/testing";
import { createTestPurser, isNightly } from "@purser/testing";
import { build as bundle } from "esbuild";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type Project, installPacked } from "./test/installed.ts";
import { servePurser } from "./test/serve.ts";

const run = promisify(execFile);
let project: Project;

beforeAll(async () => {
  project = await installPacked();
});
afterAll(() => project.remove());

describe("the packed client", () => {
  it("holds what is needed and nothing else", async () => {
    const { stdout } = await run("tar", ["-tzf", project.tarball]);
    const names = stdout
      .trim()
      .split("\n")
      .map((name) => name.replace("package/", ""));
    expect(names.filter((name) => !name.startsWith("dist/")).toSorted()).toEqual([
      "LICENSE",
      "README.md",
      "package.json",
    ]);
    expect(names.filter((name) => !/\.(c?js|d\.c?ts|md|json)$|LICENSE$/.test(name))).toEqual([]);
    const client = join(project.folder, "node_modules", "@purser", "client");
    const manifest = JSON.parse(await readFile(join(client, "package.json"), "utf8")) as Record<
      string,
      unknown
    >;
    expect(manifest["dependencies"]).toBeUndefined();
    const declarations = names.filter(
      (name) => name.endsWith(".d.ts") && !/trpc|app-router|router-types/.test(name),
    );
    const texts = await Promise.all(declarations.map((name) => readFile(join(client, name), "utf8")));
    expect(texts.join("\n")).not.toMatch(/from "[^.]|import\("|<reference/);
  });
});

describe("in an empty folder the client compiles", () => {
  const browser = { lib: ["es2022", "dom"] };
  const settings = {
    bundler: { module: "esnext", moduleResolution: "bundler", ...browser },
    nodenext: { module: "nodenext", moduleResolution: "nodenext", ...browser },
    // CommonJS as of old: require() of a module is an error.
    node16: { module: "node16", moduleResolution: "node16", ...browser },
    // As of Node before `exports`, which TypeScript has by default for CommonJS up to 5.9.
    node10: { module: "commonjs", moduleResolution: "node10", ...browser },
  };

  // The older compilers take seconds, so the suite has only the oldest of them.
  it.concurrent.for([
    ["typescript-5.9", "bundler"],
    ...(isNightly ? ([["typescript-6", "nodenext"]] as const) : []),
    ["typescript", "bundler"],
    ["typescript", "nodenext"],
    ["typescript-5.9", "node16"],
    ["typescript-5.9", "node10"],
  ] as const)("with %s and %s", async ([typescript, name]) => {
    const files = name === "node16" || name === "node10" ? ["required.cts"] : ["app.ts"];
    expect(await project.compile(typescript, `${typescript}.${name}`, files, settings[name])).toBe("");
  });

  it("without the DOM, with the types of Node", async () => {
    await project.link("@types/node");
    const options = { module: "nodenext", lib: ["es2022"], types: ["node"] };
    expect(await project.compile("typescript", "node", ["app.ts"], options)).toBe("");
  });

  it("together with @trpc/client and TanStack Query, as the README shows", async () => {
    const readme = await readFile(join(project.folder, "node_modules/@purser/client/README.md"), "utf8");
    const examples = [...readme.matchAll(/^```ts\n(.*?)^```/gms)].map(([, text = ""]) => text);
    expect(examples.length).toBeGreaterThan(8);
    const files = examples.map((_, index) => `example-${index}.ts`);
    for (const [index, text] of examples.entries())
      await writeFile(join(project.folder, files[index]!), text);
    for (const name of [
      "@types/react",
      "@tanstack/react-query",
      "@trpc/client",
      "@trpc/server",
      "@trpc/tanstack-react-query",
    ])
      await project.link(name);
    const options = {
      module: "esnext",
      moduleResolution: "bundler",
      lib: ["esnext", "dom"],
      types: ["node"],
    };
    expect(await project.compile("typescript", "readme", files, options)).toBe("");
  });
});

/** The size of all code of this source in a browser's bundle, in bytes after gzip. */
async function size(source: string): Promise<number> {
  const { outputFiles } = await bundle({
    ...bundling,
    stdin: { contents: source, resolveDir: project.folder },
  });
  return gzipSync(outputFiles[0]!.contents, { level: 9 }).byteLength;
}

const bundling = {
  bundle: true,
  minify: true,
  write: false,
  format: "esm",
  platform: "browser",
  logLevel: "silent",
} as const;

/** How much of it a browser loads at once, and how much when something is followed. */
async function sizes(source: string): Promise<{ atOnce: number; later: number }> {
  const { outputFiles, metafile } = await bundle({
    ...bundling,
    stdin: { contents: source, resolveDir: project.folder },
    splitting: true,
    outdir: project.folder,
    metafile: true,
  });
  const bytes = new Map(
    outputFiles.map(({ path, contents }) => [basename(path), gzipSync(contents, { level: 9 }).byteLength]),
  );
  const outputs = new Map(Object.entries(metafile.outputs).map(([path, output]) => [basename(path), output]));
  const loaded = new Set(["stdin.js"]);
  for (const name of loaded) {
    for (const { path, kind } of outputs.get(name)!.imports)
      if (kind === "import-statement") loaded.add(basename(path));
  }
  const total = (names: Iterable<string>) => [...names].reduce((sum, name) => sum + bytes.get(name)!, 0);
  const atOnce = total(loaded);
  return { atOnce, later: total(bytes.keys()) - atOnce };
}

describe("in a bundle for browsers the client", () => {
  // The verification of webhooks needs a secret, which no page has. It is weighed by itself.
  const ofPages = ["client", "client/auth", "client/tanstack", "client/trpc"];

  // About a tenth above what it weighs. Of the table of procedures, each costs 9 bytes.
  it.each([
    [
      "everything that a page can use",
      ofPages.map((name, index) => `export * as _${index} from "@purser/${name}";`).join(""),
      10_000,
    ],
    ["all procedures", 'export { createPurserClient, isProblem, paginate } from "@purser/client";', 6150],
    [
      "one call",
      'import { createPurserClient } from "@purser/client"; createPurserClient({}).me.get();',
      6000,
    ],
    ["sign-in", 'export * from "@purser/client/auth";', 3500],
    ["options for TanStack Query", 'export { createPurserQueries } from "@purser/client/tanstack";', 720],
    ["what an event makes stale", 'export { staleKeys } from "@purser/client/tanstack";', 600],
    ["who may call a procedure", 'export { mayCall } from "@purser/client";', 1500],
    ["the lengths of texts", 'export { maxLengthOf } from "@purser/client";', 800],
    ["whether a purchase was refused", 'export { isRefused } from "@purser/client";', 200],
    ["the transformer for tRPC", 'export * from "@purser/client/trpc";', 720],
    ["the verification of webhooks", 'export * from "@purser/client/webhooks";', 1100],
    ["the decimals of currencies", 'export { decimalsOf } from "@purser/client";', 200],
    ["a sample request", 'export { curlOf } from "@purser/client";', 1500],
    ["the test of an error", 'export { isProblem } from "@purser/client";', 440],
  ])("weighs little: %s", async (_, source, bytes) => {
    expect(await size(source)).toBeLessThan(bytes);
  });

  it("vanishes when nothing of it is used", async () => {
    expect(await size('import "@purser/client";')).toBeLessThan(50);
  });

  it("loads what follows streams only for those who follow one", async () => {
    const { atOnce, later } = await sizes('export { createPurserClient } from "@purser/client";');
    expect(atOnce).toBeLessThan(5350);
    expect(later).toBeGreaterThan(0);
    expect(later).toBeLessThan(1700);
  });
});

describe("an editor", () => {
  it("shows results by the names of their types", async () => {
    const settings = {
      module: "nodenext",
      lib: ["es2022", "dom"],
      noEmit: false,
      declaration: true,
      outDir: "shown",
    };
    expect(await project.compile("typescript", "shown", ["shown.ts"], settings)).toBe("");
    const shown = await readFile(join(project.folder, "shown", "shown.d.ts"), "utf8");
    expect(shown.match(/^export declare const .*/gm)).toEqual([
      'export declare const transactions: import("@purser/client").BankTransaction[];',
      'export declare const page: import("@purser/client").ListPage<import("@purser/client").CardTransaction>;',
      'export declare const subscription: import("@purser/client").CurrentSubscription | null;',
      'export declare const created: import("@purser/client").WithResponse<import("@purser/client").Card>;',
      'export declare const keys: import("@purser/client/auth").AuthApiKeyListOutput;',
    ]);
  });
});

describe("a plain script with the packed client", () => {
  it("does its work on every Node that is installed here", async () => {
    const purser = await createTestPurser();
    const owner = await purser.person();
    const server = await servePurser(purser, [owner]);
    onTestFinished(async () => {
      await server.close();
      await purser.close();
    });
    const names: string[] = [];
    for (const node of await installedNodes()) {
      const { stdout } = await run(node, ["run.mjs", server.baseUrl, owner.userId, owner.userId], {
        cwd: project.folder,
      });
      const result = JSON.parse(stdout) as { names: string[] };
      names.unshift(result.names[0]!);
      const days = purser.clock.now().getTime() + 7 * day;
      expect(result).toEqual({ names, days, known: true, code: "ORGANIZATION_NOT_FOUND" });
      const required = await run(node, ["run.cjs"], { cwd: project.folder });
      expect(required.stdout).toBe("function D1970-01-01T00:00:00.000Z true function purser,me,get\n");
      purser.clock.advance(1000);
    }
    expect(names.length).toBeGreaterThan(0);
  });

  /** Those of the PATH that the client supports, and the one that runs this test. */
  async function installedNodes(): Promise<string[]> {
    const paths = (process.env["PATH"] ?? "").split(delimiter).map((folder) => join(folder, "node"));
    const nodes = new Set(
      [process.execPath, ...paths.filter((path) => existsSync(path))].map((path) => realpathSync(path)),
    );
    const supported = [...nodes].map(async (node) => {
      const [major = 0, minor = 0] = (await run(node, ["-p", "process.versions.node"])).stdout
        .split(".")
        .map(Number);
      return major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19) ? [node] : [];
    });
    return (await Promise.all(supported)).flat();
  }
});
