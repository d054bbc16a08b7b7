export { hasEmbeddedPostgres } from "./binaries.ts";
export { type EmbeddedDatabase, joinEmbeddedDatabase, startEmbeddedDatabase } from "./development.ts";
export { startEmbeddedPostgres } from "./postgres.ts";
