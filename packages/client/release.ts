import { spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * Returns the fields of `package.json` that say where a package comes from: its repository, its page, and where to report
 * bugs. Throws for an address that nobody else can open.
 *
 * @param origin The address of a git remote. A user name or token in it is left out.
 */
export function originFields(origin: string) {
  const address =
    /^(?:https:\/\/(?:[^@/]+@)?|ssh:\/\/git@|git@)([\w-]+(?:\.[\w-]+)+)(?::\d+\/|[:/])(.+?)(?:\.git)?\/?$/;
  const [, host, path] = address.exec(origin) ?? [];
  if (host === undefined || path === undefined) {
    throw new Error(
      `The published package names its repository, but the remote "origin" is at ${origin || "no address"}. ` +
        "Run: git remote set-url origin https://…",
    );
  }
  const page = `https://${host}/${path}`;
  return {
    homepage: `${page}#readme`,
    bugs: `${page}/issues`,
    repository: { type: "git", url: `git+${page}.git`, directory: "packages/client" },
  };
}

/** Runs `publish` while the package file names this origin, and leaves the file as it was. */
export async function withOrigin<Result>(
  file: string,
  origin: string,
  publish: () => Result | Promise<Result>,
): Promise<Result> {
  const text = await readFile(file, "utf8");
  const named = { ...(JSON.parse(text) as object), ...originFields(origin) };
  try {
    await writeFile(file, `${JSON.stringify(named, null, 2)}\n`);
    return await publish();
  } finally {
    await writeFile(file, text);
  }
}

/** `release.ts <command …>`: publishes by this command. Each installation has its repository at an address of its own. */
if (process.argv[1] === import.meta.filename) {
  const [command = "", ...rest] = process.argv.slice(2);
  const { stdout: origin } = spawnSync("git", ["remote", "get-url", "origin"], { encoding: "utf8" });
  process.exitCode = await withOrigin(join(import.meta.dirname, "package.json"), origin.trim(), () => {
    const { status, error } = spawnSync(command, rest, { stdio: "inherit" });
    if (error) throw error;
    return status ?? 1;
  });
}
