import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { lintFromString, loadConfig } from "@redocly/openapi-core";
import { type RulesetDefinition, Spectral } from "@stoplight/spectral-core";
import { oas } from "@stoplight/spectral-rulesets";

/**
 * Lints `docs/openapi.json`, which `pnpm generate` writes, with the rules of Redocly and Spectral. For `pnpm check openapi`.
 * Prints every finding, warnings included, and then exits with 1.
 */
const inRepository = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const document = JSON.parse(await readFile(inRepository("docs/openapi.json"), "utf8")) as OpenApi &
  Record<string, unknown>;

interface OpenApi {
  components: { securitySchemes: object };
}

/** A small document with one fault, which shows that the rules are applied. */
const { securitySchemes } = document.components;
const withoutServers = { ...document, paths: {}, webhooks: {}, components: { securitySchemes }, servers: [] };

const config = await loadConfig({ configPath: inRepository("redocly.yaml") });
const spectral = new Spectral();
spectral.setRuleset(oas as RulesetDefinition);

const linters = [
  {
    name: "Redocly",
    ruleOfServers: "no-empty-servers",
    lint: async (source: Record<string, unknown>) => {
      const found = await lintFromString({ source: JSON.stringify(source), config });
      return found.map(({ ruleId, message, location: [at] }) => ({ rule: ruleId, message, at: at?.pointer }));
    },
  },
  {
    name: "Spectral",
    ruleOfServers: "oas3-api-servers",
    lint: async (source: Record<string, unknown>) => {
      const found = await spectral.run(structuredClone(source));
      return found.map(({ code, message, path }) => ({ rule: String(code), message, at: path.join("/") }));
    },
  },
];

const faults: string[] = [];
for (const { name, ruleOfServers, lint } of linters) {
  for (const { rule, message, at } of await lint(document))
    faults.push(`${name}, ${rule} at ${at}: ${message}`);
  const rules = (await lint(withoutServers)).map(({ rule }) => rule).join();
  if (rules !== ruleOfServers)
    faults.push(`${name} must report ${ruleOfServers} for a document without servers, not "${rules}"`);
}
if (faults.length > 0) {
  process.stderr.write(`The OpenAPI document breaks rules (docs/openapi.json):\n  ${faults.join("\n  ")}\n`);
  process.exitCode = 1;
}
