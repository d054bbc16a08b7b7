import { randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { parseKeys } from "./fields.ts";

const SecretsFile = z.object({
  authSecret: z.string().min(32),
  encryptionKeys: z.string().transform(parseKeys),
});

/** Returns the secrets of a development machine, generated once into `secrets.json` of the data folder (mode 600). */
export function developmentSecrets(dataDir: string) {
  const file = join(dataDir, "secrets.json");
  const { authSecret, encryptionKeys } = SecretsFile.parse(JSON.parse(read(file) ?? generate(dataDir, file)));
  if (encryptionKeys === null) throw new Error(`The encryption keys in ${file} are damaged.`);
  return { authSecret, encryptionKeys };
}

function read(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

function generate(dataDir: string, file: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const random = () => randomBytes(32).toString("base64");
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  const secrets = { authSecret: random(), encryptionKeys: `1:${random()}` };
  writeFileSync(draft, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flush: true });
  try {
    // Unlike a rename, a link fails if the file exists: two concurrent starts both use the secrets of the first.
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(draft);
  }
  return readFileSync(file, "utf8");
}
