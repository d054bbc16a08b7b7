import { execFile } from "node:child_process";
import { cp, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Target, forkTarget } from "../load.ts";

const bench = join(import.meta.dirname, "..");
/** Not in the workspace, so that no package of ours can import a peer. */
const folder = join(bench, "../.purser/peers");

/** Copies the servers of the peers to a folder of their own and installs there what they import. */
export async function installPeers(): Promise<void> {
  const servers = join(folder, "peers/servers");
  await mkdir(servers, { recursive: true });
  await cp(join(import.meta.dirname, "servers"), servers, { recursive: true });
  for (const shared of ["foundation/contract.ts", "serve-fetch.ts", "calls.ts"])
    await cp(join(bench, shared), join(folder, shared));
  await cp(join(servers, "package.json"), join(folder, "package.json"));
  const options = ["--ignore-workspace", "--ignore-scripts", "--prefer-offline"];
  await promisify(execFile)("pnpm", ["install", ...options], { cwd: folder });
}

/** Starts the server of a peer as its users do: the published code in production mode. Call {@link installPeers} before. */
export function startPeer(name: string, environment: Record<string, string> = {}): Promise<Target> {
  return forkTarget(join(folder, "peers/servers", `${name}.ts`), environment);
}
