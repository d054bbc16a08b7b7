import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { NotFound } from "./exit-code.ts";

/** Throws before a command begins its work, if a file that it reads is missing. */
export function expectFile(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) throw new NotFound(`There is no file ${resolve(file)}`);
  if (found.isDirectory()) throw new Error(`${resolve(file)} is a folder. Name the file in it`);
}

/** Throws before a command begins its work, if the folder of a file that it writes is missing. */
export function expectFolderOf(file: string): void {
  const folder = dirname(resolve(file));
  if (statSync(folder, { throwIfNoEntry: false }) === undefined)
    throw new NotFound(`There is no folder ${folder}. Create it: mkdir -p '${folder}'`);
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory())
    throw new Error(`${resolve(file)} is a folder. Name a file in it`);
}
