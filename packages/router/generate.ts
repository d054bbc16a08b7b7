import { writeFile } from "node:fs/promises";
import { openApiDocument } from "./src/openapi/index.ts";

/** Writes the snapshot of the OpenAPI document, so that a change of the wire is seen in review. */
const document = openApiDocument({ sandbox: true });
await writeFile(
  new URL("../../docs/openapi.json", import.meta.url),
  `${JSON.stringify(document, null, 2)}\n`,
);
