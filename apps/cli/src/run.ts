import { CommanderError } from "commander";
import { ExitCode } from "./exit-code.ts";
import { createProgram } from "./program.ts";

/** Runs one command line and returns its exit code. Errors go to stderr. */
export async function run(args: readonly string[]): Promise<number> {
  const program = createProgram();
  try {
    await program.parseAsync(args, { from: "user" });
    return ExitCode.ok;
  } catch (error) {
    // Commander has already printed the usage error or the requested help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.ok : ExitCode.usage;
    const { commandFailure } = await import("./failure.ts");
    const { message, exitCode } = commandFailure(error);
    process.stderr.write(`error: ${message}\n`);
    if (program.opts()["verbose"]) console.error(error);
    return exitCode;
  }
}
