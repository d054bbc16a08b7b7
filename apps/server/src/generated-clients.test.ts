// @module-tag slow
import { execFile } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { testClock } from "@purser/core/testing";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ListeningService, startListeningService } from "./testing/listening-service.ts";
import { type TypeScriptProject, createTypeScriptProject } from "./testing/typescript-project.ts";

const root = join(import.meta.dirname, "../../..");
const document = join(root, "docs/openapi.json");
const commands = join(root, "packages/openapi-generators/node_modules/.bin");

/** Each generator with its command, and a module that uses what it makes. */
const generators = {
  "openapi-typescript": {
    command: ["openapi-typescript", document, "-o", "openapi-typescript.gen.ts"],
    use: `import createClient from "openapi-fetch";
import type { paths } from "./openapi-typescript.gen.ts";

export async function addOrganization(baseUrl: string, token: string, name: string): Promise<string> {
  const purser = createClient<paths>({ baseUrl, headers: { authorization: \`Bearer \${token}\` } });
  const { data, error } = await purser.POST("/api/organizations", { body: { name } });
  if (error) throw new Error(error.code);
  return data.id;
}`,
  },
  "@hey-api/openapi-ts": {
    command: ["openapi-ts", "-i", document, "-o", "hey-api"],
    use: `import { client } from "./hey-api/client.gen";
import { organizationsCreate } from "./hey-api/sdk.gen";

export async function addOrganization(baseUrl: string, token: string, name: string): Promise<string> {
  client.setConfig({ baseUrl, auth: ({ scheme }) => (scheme === "bearer" ? token : undefined) });
  const { data, error } = await organizationsCreate({ body: { name } });
  if (error) throw new Error(error.code);
  return data.id;
}`,
  },
  oazapfts: {
    command: ["oazapfts", document, "oazapfts.gen.ts"],
    use: `import { defaults, organizationsCreate } from "./oazapfts.gen.ts";

export async function addOrganization(baseUrl: string, token: string, name: string): Promise<string> {
  Object.assign(defaults, { baseUrl, headers: { authorization: \`Bearer \${token}\` } });
  const response = await organizationsCreate({ name });
  if (response.status !== 201) throw new Error(response.data.code);
  return response.data.id;
}`,
  },
};

interface GeneratedClient {
  addOrganization(baseUrl: string, token: string, name: string): Promise<string>;
}

let server: ListeningService;
let project: TypeScriptProject;

beforeAll(async () => {
  [server, project] = await Promise.all([
    startListeningService({ clock: testClock(new Date()) }),
    createTypeScriptProject(),
  ]);
  for (const name of ["openapi-fetch", "@oazapfts/runtime"])
    await project.link(name, "packages/openapi-generators");
});
afterAll(async () => {
  await server.close();
  await project.remove();
});

it("generators make clients of the OpenAPI document that compile and call the service", async () => {
  const { purser, auth } = server.service;
  const owner = await purser.person();
  const token = await auth.openSession(owner.userId);
  const entries = Object.entries(generators);
  await Promise.all(
    entries.map(
      ([
        ,
        {
          command: [name = "", ...args],
        },
      ]) => promisify(execFile)(join(commands, name), args, { cwd: project.folder }),
    ),
  );
  const modules = entries.map(([, { use }], index): [string, string] => [`use-${index}.ts`, use]);
  await project.write(Object.fromEntries(modules));
  // Generated code passes undefined for absent fields, and is for the browser too.
  const options = { exactOptionalPropertyTypes: false, lib: ["esnext", "dom", "dom.iterable"] };
  expect(await project.check(options)).toBe("");

  for (const [index, [name]] of entries.entries()) {
    const { addOrganization } = await bundled(`use-${index}.ts`);
    const id = await addOrganization(server.base, token, name);
    expect(await purser.as(owner).organizations.get({ id })).toMatchObject({ id, name });
  }
});

/** Generated modules leave out the extensions of their imports, as bundlers expect. */
async function bundled(file: string): Promise<GeneratedClient> {
  const outfile = join(project.folder, `${file}.mjs`);
  await build({
    entryPoints: [join(project.folder, file)],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
  });
  return (await import(pathToFileURL(outfile).href)) as GeneratedClient;
}
