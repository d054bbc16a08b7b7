import { CommanderError } from "commander";
import { ExitCode } from "./exit-code.ts";
import { createProgram } from "./program.ts";

/** Runs one command line; gives the exit code. What went wrong is said on stderr. */
export async function run(args: readonly string[]): Promise<number> {
  const program = createProgram();
  try {
    await program.parseAsync(args, { from: "user" });
    return ExitCode.ok;
  } catch (error) {
    // Commander has said what is wrong, or has shown the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.ok : ExitCode.usage;
    const { explain } = await import("./failure.ts");
    const { message, exitCode } = explain(error);
    process.stderr.write(`error: ${message}\n`);
    if (program.opts()["verbose"]) console.error(error);
    return exitCode;
  }
}
