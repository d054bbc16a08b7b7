export type { ConsoleFiles } from "./files.ts";
export { type ConsoleState, buildConsole, builtConsole, hasConsoleSources } from "./source.ts";
