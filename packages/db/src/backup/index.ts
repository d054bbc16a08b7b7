export { readBackup } from "./read.ts";
export { restoreDatabase } from "./restore.ts";
export { backUpDatabase } from "./write.ts";
