import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { build } from "../build.ts";

const home = dirname(import.meta.dirname);
const run = promisify(execFile);

/** An otherwise empty project with the packed client installed. */
export interface Project {
  folder: string;
  tarball: string;
  /** Links a package of this repository next to the client, for examples that need it. */
  link(name: string): Promise<void>;
  /** Compiles files of the project with this TypeScript. Returns the compiler's output, empty if there is no error. */
  compile(typescript: string, name: string, files: string[], settings: object): Promise<string>;
  remove(): Promise<void>;
}

/** Checks everything except the compiler's own declarations. */
const strictest = {
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  skipDefaultLibCheck: true,
  noEmit: true,
  target: "es2022",
  types: [],
};

/** Builds the client, packs it as published, and installs the package in an empty folder. */
export async function installPacked(): Promise<Project> {
  await build();
  const folder = await mkdtemp(join(tmpdir(), "purser-consumer-"));
  const tarball = await pack(folder);
  const modules = join(folder, "node_modules");
  const client = join(modules, "@purser", "client");
  await mkdir(client, { recursive: true });
  await run("tar", ["-xzf", tarball, "-C", client, "--strip-components=1"]);
  await cp(join(home, "test", "consumer"), folder, { recursive: true });
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');

  return {
    folder,
    tarball,
    async link(name) {
      await mkdir(dirname(join(modules, name)), { recursive: true });
      await symlink(packageFolder(name), join(modules, name));
    },
    async compile(typescript, name, files, settings) {
      const project = join(folder, `tsconfig.${name}.json`);
      const compilerOptions = { ...strictest, ...settings };
      await writeFile(project, JSON.stringify({ compilerOptions, files }));
      const compiler = join(packageFolder(typescript), "bin", "tsc");
      return new Promise((resolve) => {
        // In one thread the native compiler takes half of the processor time.
        const args = [compiler, ...(typescript === "typescript" ? ["--singleThreaded"] : []), "-p", project];
        execFile(process.execPath, args, { cwd: folder }, (_, output) => resolve(output));
      });
    },
    remove: () => rm(folder, { recursive: true }),
  };
}

/**
 * pnpm, which publishes, if it runs this test; otherwise npm, whose package differs only in development dependencies.
 */
async function pack(destination: string): Promise<string> {
  const manager = process.env["npm_execpath"];
  const [command, ...flags] = manager?.includes("pnpm")
    ? [manager, "--config.ignore-scripts=true"]
    : ["npm", "--ignore-scripts"];
  await run(command, ["pack", ...flags, "--pack-destination", destination], { cwd: home });
  const { name, version } = JSON.parse(await readFile(join(home, "package.json"), "utf8")) as Record<
    string,
    string
  >;
  return join(destination, `${name?.replace("@", "").replace("/", "-")}-${version}.tgz`);
}

/** Returns the folder of a package that the client depends on, or of the repository. */
function packageFolder(name: string): string {
  const folders = [home, join(home, "..", "..")].map((folder) => join(folder, "node_modules", name));
  const found = folders.find((folder) => existsSync(folder));
  if (found === undefined) throw new Error(`${name} is not installed`);
  return found;
}
