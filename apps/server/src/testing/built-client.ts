import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleScripts } from "../../../../packages/client/build.ts";

export type Client = typeof import("../../../../packages/client/src/index.ts");

/** The client as published: bundled, and imported from outside the repository. */
export async function importBuiltClient(): Promise<Client> {
  const folder = await mkdtemp(join(tmpdir(), "purser-client-"));
  try {
    await writeFile(join(folder, "package.json"), '{ "type": "module" }');
    const scripts = await bundleScripts();
    for (const [name, text] of scripts) await writeFile(join(folder, name), text);
    // Also what the client itself imports later, because the folder goes.
    for (const name of scripts.keys()) await import(join(folder, name));
    return (await import(join(folder, "index.js"))) as Client;
  } finally {
    await rm(folder, { recursive: true });
  }
}
