import { fileURLToPath } from "node:url";
import { lintFromString, loadConfig } from "@redocly/openapi-core";
import { Spectral, type RulesetDefinition } from "@stoplight/spectral-core";
import { oas } from "@stoplight/spectral-rulesets";
import { describe, expect, it } from "vitest";
import { openApiDocument } from "./index.ts";

const document = openApiDocument({ sandbox: true });
const { securitySchemes } = document["components"] as { securitySchemes: object };
/** A small document with one fault, which shows that the rules are applied. */
const withoutServers = { ...document, paths: {}, webhooks: {}, components: { securitySchemes }, servers: [] };

describe("the OpenAPI document", () => {
  it("passes Redocly's recommended rules without a warning", async () => {
    const config = await loadConfig({
      configPath: fileURLToPath(new URL("../../../../redocly.yaml", import.meta.url)),
    });
    const lint = (source: object) => lintFromString({ source: JSON.stringify(source), config });
    expect((await lint(document)).map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
    expect((await lint(withoutServers)).map(({ ruleId }) => ruleId)).toEqual(["no-empty-servers"]);
  });

  it("passes Spectral's rules for OpenAPI without a warning", async () => {
    const spectral = new Spectral();
    spectral.setRuleset(oas as RulesetDefinition);
    const lint = (source: object) => spectral.run(JSON.parse(JSON.stringify(source)));
    expect((await lint(document)).map(({ code, path }) => `${code}: ${path.join("/")}`)).toEqual([]);
    expect((await lint(withoutServers)).map(({ code }) => code)).toEqual(["oas3-api-servers"]);
  });
});
