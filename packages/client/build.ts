import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build as bundle } from "esbuild";

const home = import.meta.dirname;
const dist = join(home, "dist");
const entries = ["index", "trpc"];

/** Builds the published files into `dist`: one script per entry point, and the declarations. */
export async function build(): Promise<void> {
  const [scripts, declarations] = await Promise.all([bundleScripts(), emitDeclarations()]);
  const files = new Map([...scripts, ...declarations]);
  for (const [name, text] of files) await replace(join(dist, name), text);
  for (const name of await readdir(dist, { recursive: true })) {
    if (/\.(js|ts|txt)$/.test(name) && !files.has(name)) await rm(join(dist, name));
  }
}

/** Returns the scripts by file name. They are not minified, which helps debugging; an app's bundler minifies them. */
export async function bundleScripts(): Promise<Map<string, string>> {
  const { outputFiles } = await bundle({
    absWorkingDir: home,
    entryPoints: entries.map((entry) => `src/${entry}.ts`),
    outdir: dist,
    bundle: true,
    write: false,
    format: "esm",
    platform: "neutral",
    target: "es2022",
    legalComments: "none",
  });
  return new Map(outputFiles.map(({ path, text }) => [path.slice(dist.length + 1), text]));
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
    await promisify(execFile)(process.execPath, [compiler, "-p", project, "--outDir", folder]);
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
