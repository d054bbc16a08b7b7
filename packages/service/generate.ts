import { readFile, writeFile } from "node:fs/promises";
import { banks, issuers, payments } from "./src/providers.ts";
import { environmentTable } from "./src/settings.ts";

/** Writes the provider names into core, where contracts and tables can import them. `src/providers.ts` is the source. */
const lists = {
  bankProviderNames: ["sandbox", ...Object.keys(banks)],
  cardIssuerNames: ["sandbox", ...Object.keys(issuers)],
  paymentProviderNames: ["local", ...Object.keys(payments)],
};
const declarations = Object.entries(lists).map(
  ([list, names]) => `export const ${list} = [${names.map((name) => `"${name}"`).join(", ")}] as const;\n`,
);
const header = `/**
 * The published provider names. \`pnpm generate\` writes this file from packages/service/src/providers.ts.
 * The contracts' enums and the columns' types derive from these lists.
 */
`;
await writeFile(
  new URL("../core/src/provider-names.ts", import.meta.url),
  `${header}${declarations.join("")}`,
);

/** Writes the table of environment variables into docs/settings.md. The settings are the source. */
const page = new URL("../../docs/settings.md", import.meta.url);
const [before = "", rest = ""] = (await readFile(page, "utf8")).split("<!-- environment:begin -->");
const [, after = ""] = rest.split("<!-- environment:end -->");
await writeFile(
  page,
  `${before}<!-- environment:begin -->\n\n${environmentTable()}\n\n<!-- environment:end -->${after}`,
);
