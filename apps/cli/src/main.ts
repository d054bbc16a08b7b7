import { enableCompileCache } from "node:module";
import { ExitCode } from "./exit-code.ts";

// Enabled before anything else is loaded, because a short command spends nearly all of its time on loading source.
enableCompileCache();
const { run } = await import("./run.ts");

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // The reader, such as `head`, has closed the pipe.
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});
const code = await run(process.argv.slice(2));
process.exitCode = code;
// Interrupted work is still running. Exiting closes its connections, which rolls back uncommitted work: of a running statement as
// soon as the server notices.
if (code === ExitCode.interrupted) process.exit();
