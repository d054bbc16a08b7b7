import { enableCompileCache } from "node:module";
import { ExitCode } from "./exit-code.ts";

// Set before anything else is loaded: a short command spends nearly all of its time on reading source.
enableCompileCache();
const { run } = await import("./run.ts");

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // The reader, such as `head`, has seen enough.
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});
const code = await run(process.argv.slice(2));
process.exitCode = code;
// What a signal broke off still runs; the end of its connections undoes whatever was not committed.
if (code === ExitCode.interrupted) process.exit();
