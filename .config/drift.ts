import { spawnSync } from "node:child_process";
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative, resolve } from "node:path";

/**
 * Fails when `pnpm generate` would change a file: migrations, the OpenAPI document, the generated client. It runs
 * in a copy, because other checks read the working tree at the same time.
 */
const root = resolve(import.meta.dirname, "..");
/** What the commands read and write. */
const copied = [
  "packages",
  "docs",
  "package.json",
  "tsconfig.base.json",
  "drizzle.config.ts",
  ".oxfmtrc.json",
];
const copy = mkdtempSync(join(tmpdir(), "purser-generate-"));
try {
  for (const name of copied) {
    // Links to other packages are relative, so links in the copy lead to copies.
    cpSync(join(root, name), join(copy, name), { recursive: true, verbatimSymlinks: true, filter: isSource });
  }
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  const before = contents(copy);
  generate();
  const after = contents(copy);
  const drifted = [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  );
  if (drifted.length > 0) {
    console.error(
      `\`pnpm generate\` would change these files; run it and commit them:\n  ${drifted.join("\n  ")}`,
    );
    process.exitCode = 1;
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}

function isSource(path: string): boolean {
  return basename(path) !== "dist";
}

/** Runs the commands of the script as pnpm would, but for the install: the copy links to what is installed. */
function generate(): void {
  const { scripts } = JSON.parse(readFileSync(join(copy, "package.json"), "utf8")) as Manifest;
  const env = { ...process.env, NODE_NO_WARNINGS: "1" };
  const commands = scripts.generate.replace("sh .config/install.sh && ", "");
  const { status, stderr } = spawnSync("sh", ["-c", commands], { cwd: copy, encoding: "utf8", env });
  // Without a terminal drizzle-kit cannot ask whether a column was renamed. It writes that to stderr and exits with 0.
  if (status !== 0 || stderr !== "") throw new Error(`\`pnpm generate\` failed:\n${stderr}`);
}

interface Manifest {
  scripts: { generate: string };
}

/** Returns the text of every file below a folder. Linked packages are left out. */
function contents(folder: string): Map<string, string> {
  const entries = globSync("**", {
    cwd: folder,
    withFileTypes: true,
    exclude: ({ name }) => name === "node_modules",
  });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(files.map((path) => [relative(folder, path), readFileSync(path, "utf8")]));
}
