import { existsSync, globSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";

/** The built console: its page, and its files by their address. */
export interface ConsoleFiles {
  /** The page, without the number of its styles. */
  page: string;
  assets: ReadonlyMap<string, ConsoleAsset>;
}

export interface ConsoleAsset {
  type: string;
  /** Its bytes by encoding, those that the build made. They are read when they are first served. */
  read: Readonly<Partial<Record<"br" | "gzip", Reader>>> & { identity: Reader };
}

type Reader = () => Uint8Array<ArrayBuffer>;

const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** Reads which files a build has. Null if there is none in this folder. */
export function readConsoleFiles(folder: string): ConsoleFiles | null {
  if (!existsSync(join(folder, "index.html"))) return null;
  const names = globSync("console/*.*", { cwd: folder }).filter((name) => extname(name) in types);
  const assets = new Map(
    names.map((name) => [`/${name.replaceAll("\\", "/")}`, assetOf(join(folder, name))]),
  );
  return { page: readFileSync(join(folder, "index.html"), "utf8"), assets };
}

function assetOf(file: string): ConsoleAsset {
  return {
    type: types[extname(file)]!,
    read: {
      identity: readOnce(file),
      ...(existsSync(`${file}.br`) && { br: readOnce(`${file}.br`) }),
      ...(existsSync(`${file}.gz`) && { gzip: readOnce(`${file}.gz`) }),
    },
  };
}

function readOnce(file: string): Reader {
  let bytes: Uint8Array<ArrayBuffer> | undefined;
  return () => (bytes ??= readFileSync(file));
}
