import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, relative, resolve } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

/**
 * `node apps/console/build.ts [--install]`: builds the console into `dist`, unless it is built from these very sources
 * already. Each file that compresses lies there in brotli and gzip as well. With `--install` it first installs what it needs.
 */
const root = resolve(import.meta.dirname, "../..");
const dist = join(import.meta.dirname, "dist");
const stamp = "built-from";

const begun = performance.now();
const sources = hashOfSources();
if (builtFrom() === sources) process.exit(0);

console.log("Building the console, because its sources changed …");
if (process.argv.includes("--install")) await install();
const { build } = await import("vite").catch(() => {
  console.error("The console cannot be built without its dependencies. Run: npx --yes pnpm@12.21.0 install");
  process.exit(1);
});
// Complete before it replaces the last one. Two builds at once do not disturb each other.
const cache = join(root, "node_modules/.cache/purser");
mkdirSync(cache, { recursive: true });
const own = mkdtempSync(join(cache, "console-"));
// A test run has another, with which React would be built for development.
process.env["NODE_ENV"] = "production";
try {
  await build({ root: import.meta.dirname, logLevel: "warn", build: { outDir: own, emptyOutDir: true } });
  for (const file of globSync("console/**/*.{js,css,svg}", { cwd: own })) compress(join(own, file));
  writeFileSync(join(own, stamp), sources);
  // The image runs as another user than the one that builds.
  chmodSync(own, 0o755);
  rmSync(dist, { recursive: true, force: true });
  renameSync(own, dist);
} catch (error) {
  // Another process has built the same meanwhile.
  if (builtFrom() !== sources) throw error;
} finally {
  rmSync(own, { recursive: true, force: true });
}
console.log(`${relative(root, dist)}: built in ${((performance.now() - begun) / 1000).toFixed(1)} s`);

/** Without pnpm, or offline, the build continues with what is there. */
async function install(): Promise<void> {
  const child = spawn("sh", [".config/install.sh", "console"], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
  });
  const end = () => {
    child.kill();
    process.exit(1);
  };
  process.once("SIGTERM", end);
  await once(child, "close");
  process.off("SIGTERM", end);
}

function builtFrom(): string | null {
  const file = join(dist, stamp);
  return existsSync(file) ? readFileSync(file, "utf8") : null;
}

function hashOfSources(): string {
  const files = globSync(
    [
      "apps/console/{index.html,package.json,*.ts,src/**/*.{ts,tsx,css}}",
      "packages/client/src/**/*.ts",
      "packages/core/src/wire.ts",
    ],
    { cwd: root, exclude: ["**/*.test.ts", "**/testing/**"] },
  );
  const hash = createHash("sha256");
  for (const file of files.toSorted()) hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest("hex");
}

function compress(file: string): void {
  const bytes = readFileSync(file);
  if (bytes.length < 1000) return;
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }));
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
}
