import { openApiDocument } from "@purser/router";

/** Prints the OpenAPI document; the repository keeps it in docs/openapi.json. */
process.stdout.write(`${JSON.stringify(openApiDocument({ baseUrl: "http://localhost:3000" }), null, 2)}\n`);
