import { Command } from "commander";
import { Progress, printRows, say } from "../output.ts";
import { withPlatform } from "../session.ts";

export function keysCommand(): Command {
  const keys = new Command("keys").description(
    "the keys that seal secrets in the database (ENCRYPTION_KEYS)",
  );
  keys
    .command("status")
    .description("show how many secrets each version of the key has sealed")
    .option("--json", "print JSON")
    .action((options: { json?: boolean }, command: Command) =>
      withPlatform(command, async ({ platform }) => {
        const { keyStatus } = await import("@purser/platform/keys");
        const configured = platform.settings.encryptionKeys.map(({ version }) => version);
        const uses = (await keyStatus(platform.db)).map((use) => ({
          ...use,
          key: describe(use.version, configured),
        }));
        printRows(uses, ["place", "version", "secrets", "key"], options);
      }),
    );
  keys
    .command("rotate")
    .description("seal every secret anew with the first key")
    .addHelpText(
      "after",
      `
1. Add a new key: ENCRYPTION_KEYS=1:<the old key>,2:<32 random bytes in base64>
   Restart every process of the service with it, so that each can open what it seals.
2. Put it in front: ENCRYPTION_KEYS=2:<the new key>,1:<the old key>, and restart again.
3. Run this. It may be broken off and started again, and the service goes on meanwhile.
4. When "keys status" shows nothing under the old version, take the old key out.

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
  return withPlatform(command, async ({ platform: { db, settings } }) => {
    const { rehashAccounts } = await import("@purser/banking");
    const { rotateKeys } = await import("@purser/platform/keys");
    const progress = new Progress();
    const { resealed, unreadable } = await rotateKeys(db, settings.encryptionKeys, ({ place, done, total }) =>
      progress.show(`${place}: ${done} of ${total}`),
    );
    // By their hashes accounts are found again; the text behind them is sealed with the first key by now.
    await rehashAccounts(db, settings.encryptionKeys);
    progress.end();
    const version = settings.encryptionKeys[0]?.version;
    say(
      `${resealed} ${resealed === 1 ? "secret was" : "secrets were"} sealed anew with key version ${version}.`,
    );
    for (const { place, key, reason } of unreadable) {
      process.stderr.write(`${place} ${key.join(" ")}: ${reason}\n`);
    }
    if (unreadable.length > 0)
      throw new Error(`${unreadable.length} secrets could not be opened and stay as they are`);
  });
}
