import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleScripts } from "../../../../packages/client/build.ts";

export type Client = typeof import("../../../../packages/client/src/index.ts");

/** The client as published: bundled, and imported from outside the repository. */
export async function importBuiltClient(): Promise<Client> {
  // It stays until the end of the run, because the client imports a part of itself later.
  const folder = await mkdtemp(join(tmpdir(), "purser-client-"));
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  for (const [name, text] of await bundleScripts()) await writeFile(join(folder, name), text);
  return (await import(join(folder, "index.js"))) as Client;
}
