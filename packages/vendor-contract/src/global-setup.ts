import { createHash } from "node:crypto";
import { globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import type { VendorFact } from "./facts.ts";
import { type StoredValidators, root, storedAt } from "./validators.ts";

interface Stored extends StoredValidators {
  key: string;
}

/**
 * For vitest's `globalSetup`. Compiles the validators of all contracts and stores them, unless nothing changed that they
 * are made from.
 */
export async function setup(): Promise<void> {
  const contracts = globSync("packages/providers/*/src/fake/vendor-contract.ts", { cwd: root }).map(
    (file) => {
      const path = resolve(root, file);
      return { path, stored: storedAt(basename(resolve(path, "../../.."))), key: keyOf(path) };
    },
  );
  const stale = contracts.filter(({ stored, key }) => readKey(stored) !== key);
  if (stale.length === 0) return;
  // Both load TypeScript and Ajv, so only here.
  const { contractSchemas } = await import("./schema.ts");
  const { compileValidators } = await import("./validators.ts");
  const schemas = contractSchemas(stale.map(({ path }) => path));
  for (const { path, stored, key } of stale) {
    const declared = (await import(resolve(path, "../facts.ts"))) as Record<string, readonly VendorFact[]>;
    const facts = Object.values(declared).flat();
    const text: Stored = { key, ...compileValidators(schemas.get(path)!, facts) };
    mkdirSync(dirname(stored), { recursive: true });
    // Another run may read meanwhile.
    writeFileSync(`${stored}.${process.pid}`, JSON.stringify(text));
    renameSync(`${stored}.${process.pid}`, stored);
  }
}

/** Changes with everything that the validators are made from: types, facts, the SDK's version, and this package. */
function keyOf(contract: string): string {
  const sources = [
    contract,
    resolve(contract, "../facts.ts"),
    resolve(contract, "../../../package.json"),
    ...globSync(resolve(contract, "../../*.generated.ts")),
    ...["schema.ts", "facts.ts", "validators.ts", "wire.ts"].map((file) =>
      resolve(import.meta.dirname, file),
    ),
  ];
  const hash = createHash("sha256");
  for (const source of sources) hash.update(readFileSync(source));
  return hash.digest("hex");
}

function readKey(stored: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(stored, "utf8")) as Stored).key;
  } catch {
    return undefined;
  }
}
