import { execFileSync } from "node:child_process";
import { cpSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { bundle, repositoryRoot } from "./bundle.ts";

/**
 * `node apps/server/build.ts [folder]`: builds the service, the command line and the console
 * into `dist`, or into the folder.
 */
const dist = resolve(process.argv[2] ?? join(import.meta.dirname, "dist"));
const bytes = await bundle(
  {
    main: join(repositoryRoot, "apps/server/src/main.ts"),
    purser: join(repositoryRoot, "apps/cli/src/main.ts"),
  },
  dist,
);
const built = join(repositoryRoot, "apps/console/dist");
execFileSync(process.execPath, [join(repositoryRoot, "apps/console/build.ts")], { stdio: "inherit" });
cpSync(built, join(dist, "console"), { recursive: true });
console.log(`${relative(repositoryRoot, dist)}: ${(bytes / 1e6).toFixed(1)} MB`);
