import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundleScripts } from "../../../../packages/client/build.ts";

const repository = join(import.meta.dirname, "../../../..");

/** An empty project outside the repository with the client installed, for the samples of the documentation. */
export interface TypeScriptProject {
  folder: string;
  /** Writes modules by file name. */
  write(files: Record<string, string>): Promise<void>;
  /** Makes a package that this package of the repository depends on importable. */
  link(name: string, from?: string): Promise<void>;
  /** Type-checks all modules, with the strict settings of a user. Returns the compiler's output, empty if it is content. */
  check(options?: Record<string, unknown>): Promise<string>;
  /** Runs a module with Node. The service under test may run in this process. */
  run(file: string, env?: Record<string, string>): Promise<{ code: number; output: string }>;
  remove(): Promise<void>;
}

export async function createTypeScriptProject(): Promise<TypeScriptProject> {
  const folder = await mkdtemp(join(tmpdir(), "purser-samples-"));
  const modules = join(folder, "node_modules");
  const client = join(modules, "@purser/client");
  await mkdir(client, { recursive: true });
  await cp(join(repository, "packages/client/package.json"), join(client, "package.json"));
  await mkdir(join(client, "dist"));
  for (const [name, text] of await bundleScripts()) await writeFile(join(client, "dist", name), text);
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');

  return {
    folder,
    async write(files) {
      for (const [name, text] of Object.entries(files)) {
        await mkdir(dirname(join(folder, name)), { recursive: true });
        await writeFile(join(folder, name), text);
      }
    },
    async link(name, from = "packages/client") {
      const link = join(modules, name);
      await mkdir(dirname(link), { recursive: true });
      await symlink(join(repository, from, "node_modules", name), link);
    },
    async check(options = {}) {
      const compilerOptions = { ...strict, ...options, paths: sourcesOfClient() };
      const project = { compilerOptions, include: ["**/*.ts", "**/*.tsx"] };
      await writeFile(join(folder, "tsconfig.json"), JSON.stringify(project));
      const { output } = await runNode([compiler(), "--singleThreaded", "-p", folder], {
        cwd: folder,
        env: { GOGC: "off" },
      });
      return output;
    },
    run: (file, env = {}) => runNode([join(folder, file)], { cwd: folder, env }),
    remove: () => rm(folder, { recursive: true }),
  };
}

const strict = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  target: "es2024",
  lib: ["esnext"],
  module: "esnext",
  moduleResolution: "bundler",
  moduleDetection: "force",
  typeRoots: [join(repository, "node_modules/@types")],
  types: ["node"],
};

function sourcesOfClient(): Record<string, string[]> {
  const source = join(repository, "packages/client/src");
  return { "@purser/client": [join(source, "index.ts")], "@purser/client/*": [join(source, "*.ts")] };
}

function compiler(): string {
  return join(dirname(fileURLToPath(import.meta.resolve("typescript/package.json"))), "bin/tsc");
}

function runNode(
  args: string[],
  { cwd, env = {} }: { cwd: string; env?: Record<string, string> },
): Promise<{ code: number; output: string }> {
  const { PATH = "", HOME = "" } = process.env;
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      args,
      { cwd, env: { PATH, HOME, ...env }, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
    );
  });
}
