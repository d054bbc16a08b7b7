import { join, relative, resolve } from "node:path";
import { bundle, root } from "./bundle.ts";

/** `node apps/server/build.ts [folder]`: builds the service and the command line into `dist`, or into the folder. */
const dist = resolve(process.argv[2] ?? join(import.meta.dirname, "dist"));
const bytes = await bundle(
  {
    main: join(root, "apps/server/src/main.ts"),
    purser: join(root, "apps/cli/src/main.ts"),
  },
  dist,
);
console.log(`${relative(root, dist)}: ${(bytes / 1e6).toFixed(1)} MB`);
