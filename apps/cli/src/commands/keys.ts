import { Command } from "commander";
import { Progress, counted, printLine, printRows } from "../output.ts";
import { withService } from "../session.ts";

export function keysCommand(): Command {
  const keys = new Command("keys").description(
    "manage the keys that encrypt secrets in the database (ENCRYPTION_KEYS)",
  );
  keys
    .command("status")
    .description("count the secrets that each key version encrypts or hashes")
    .option("--json", "print JSON")
    .action((options: { json?: boolean }, command: Command) =>
      withService(command, async ({ platform: { db, clock, settings } }) => {
        const { countBankHashes } = await import("@purser/banking");
        const { keyStatus } = await import("@purser/platform/keys");
        const configured = settings.encryptionKeys.map(({ version }) => version);
        const all = [...(await keyStatus(db)), ...(await countBankHashes(db, clock.now()))];
        const uses = all.map((use) => ({
          ...use,
          key: describe(use.version, configured),
        }));
        printRows(uses, ["location", "version", "secrets", "key"], options);
      }),
    );
  keys
    .command("rotate")
    .description("encrypt every secret with the first key")
    .addHelpText(
      "after",
      `
1. Add a new key: ENCRYPTION_KEYS=1:<the old key>,2:<32 random bytes in base64>
   Restart every process of the service, so that each can decrypt with both keys.
2. Move it to the front: ENCRYPTION_KEYS=2:<the new key>,1:<the old key>, and restart again.
3. Run this command. The service keeps running. You can interrupt the command and run it again.
4. When "keys status" lists no secrets of the old version, remove the old key. Those of bank_links and bank_exchanges
   disappear within a day.

Example:
  $ pnpm purser keys rotate`,
    )
    .action((_options: object, command: Command) => rotate(command));
  return keys;
}

function describe(version: number, configured: readonly number[]): "first" | "other" | "missing" {
  if (version === configured[0]) return "first";
  return configured.includes(version) ? "other" : "missing";
}

function rotate(command: Command): Promise<void> {
  return withService(command, async ({ platform: { db, settings } }) => {
    const { rehashAccounts } = await import("@purser/banking");
    const { rotateKeys } = await import("@purser/platform/keys");
    const progress = new Progress();
    const rotation = await rotateKeys(db, settings.encryptionKeys, ({ location, done, total }) =>
      progress.show(`${location}: ${done} of ${total}`),
    );
    // Accounts are found by keyed hashes. Their text is already encrypted with the first key.
    const hashing = await rehashAccounts(db, settings.encryptionKeys);
    progress.end();
    const version = settings.encryptionKeys[0]?.version;
    printLine(`${were(rotation.resealed)} encrypted with key version ${version}.`);
    // Both report an account whose identifiers the rotation could not open.
    const unreadable = new Set(
      [...rotation.unreadable, ...hashing.unreadable].map(
        ({ location, key, reason }) => `${location} ${key.join(" ")}: ${reason}\n`,
      ),
    );
    for (const line of unreadable) process.stderr.write(line);
    if (unreadable.size > 0) throw new Error(`${were(unreadable.size)} not decrypted and not changed`);
  });
}

const were = (secrets: number) => counted(secrets, "secret was", "secrets were");
