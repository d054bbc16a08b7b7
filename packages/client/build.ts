import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build as bundle, transform } from "esbuild";

const home = import.meta.dirname;
const dist = join(home, "dist");
const entries = ["index", "auth", "tanstack", "trpc", "webhooks"];

/**
 * Builds the published files into `dist`: scripts and declarations, for `import` and again for `require()`. The entry points
 * share what they have in common, so that all throw the same `PurserError`.
 */
export async function build(): Promise<void> {
  const [scripts, declarations] = await Promise.all([bundleScripts(), emitDeclarations()]);
  const files = new Map([
    ...scripts,
    ...(await asCommonJs(scripts)),
    ...declarations,
    ...[...declarations].map(forRequire),
  ]);
  for (const [name, text] of files) await replace(join(dist, name), text);
  for (const name of await readdir(dist, { recursive: true })) {
    if (/\.(c?js|c?ts|txt)$/.test(name) && !files.has(name)) await rm(join(dist, name));
  }
}

/** Returns the modules by file name. They are not minified, which helps debugging; an app's bundler minifies them. */
export async function bundleScripts(): Promise<Map<string, string>> {
  const { outputFiles } = await bundle({
    absWorkingDir: home,
    entryPoints: entries.map((entry) => `src/${entry}.ts`),
    outdir: dist,
    bundle: true,
    splitting: true,
    write: false,
    format: "esm",
    platform: "neutral",
    target: "es2022",
    legalComments: "none",
  });
  return new Map(outputFiles.map(({ path, text }) => [path.slice(dist.length + 1), text]));
}

async function asCommonJs(modules: Map<string, string>): Promise<Map<string, string>> {
  const converted = [...modules].map(async ([name, text]) => {
    const { code } = await transform(text, {
      format: "cjs",
      platform: "node",
      target: "es2022",
      // An import() would load the ES modules, whose PurserError is another class.
      supported: { "dynamic-import": false },
    });
    return [
      name.replace(/js$/, "cjs"),
      code.replaceAll(/require\("(\.\/.*)\.js"\)/g, 'require("$1.cjs")'),
    ] as const;
  });
  return new Map(await Promise.all(converted));
}

/** The same declarations, as those of a CommonJS module. */
function forRequire([name, text]: [string, string]): [string, string] {
  return [name.replace(/ts$/, "cts"), text.replaceAll(/ from "(\..*)\.js";/g, ' from "$1.cjs";')];
}

/** Emits all declarations and keeps those that an entry point imports, directly or not. */
async function emitDeclarations(): Promise<Map<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), "purser-client-"));
  try {
    const compiler = join(
      dirname(fileURLToPath(import.meta.resolve("typescript/package.json"))),
      "bin",
      "tsc",
    );
    const project = join(home, "tsconfig.build.json");
    // In one thread the native compiler takes less processor time.
    const args = [compiler, "--singleThreaded", "-p", project, "--outDir", folder];
    await promisify(execFile)(process.execPath, args);
    const files = new Map<string, string>();
    for (const entry of entries) await follow(join(folder, "client", "src"), `${entry}.d.ts`, files);
    return files;
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function follow(folder: string, name: string, files: Map<string, string>): Promise<void> {
  if (files.has(name)) return;
  const text = await readFile(join(folder, name), "utf8");
  files.set(name, text.replaceAll(/ from "(\..*)\.ts";/g, ' from "$1.js";'));
  for (const [, path = ""] of text.matchAll(/ from "(\..*)\.ts";/g)) {
    await follow(folder, join(dirname(name), `${path}.d.ts`), files);
  }
}

/** Replaces a file atomically: concurrent readers see the old text or the new one. */
async function replace(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}.tmp`;
  await writeFile(temporary, text);
  await rename(temporary, file);
}

if (process.argv[1] === import.meta.filename) await build();
