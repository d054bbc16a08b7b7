import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { appRouter } from "@purser/router";
import { generateAuthFiles } from "./auth.ts";
import { generateFiles } from "./files.ts";

const folder = new URL("../src/generated/", import.meta.url);
const files = new Map([...generateFiles(appRouter), ...generateAuthFiles()]);
await mkdir(folder, { recursive: true });
for (const name of await readdir(folder)) {
  if (!files.has(name)) await rm(new URL(name, folder));
}
for (const [name, text] of files) await writeFile(new URL(name, folder), text);
