export { hasEmbeddedPostgres } from "./binaries.ts";
export {
  type EmbeddedDatabase,
  hasEmbeddedDatabase,
  joinEmbeddedDatabase,
  startEmbeddedDatabase,
} from "./development.ts";
export { startEmbeddedPostgres } from "./postgres.ts";
