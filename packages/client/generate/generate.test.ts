import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runInNewContext } from "node:vm";
import { isNightly } from "@purser/core/testing";
import { authClientOperations } from "@purser/identity/contract";
import { appRouter } from "@purser/router";
import { initTRPC } from "@trpc/server";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { kinds } from "../test/kinds.ts";
import { generateAuthFiles } from "./auth.ts";
import { generateFiles } from "./files.ts";
import { readProcedures } from "./procedures.ts";

const home = dirname(import.meta.dirname);

/** Compiles with the repository's settings. Returns the compiler's output, which is empty if there is no error. */
async function compile(folder: string, files: string[]): Promise<string> {
  const compiler = join(dirname(fileURLToPath(import.meta.resolve("typescript/package.json"))), "bin", "tsc");
  const settings = {
    extends: join(home, "../../tsconfig.base.json"),
    compilerOptions: { typeRoots: [join(home, "../../node_modules/@types")] },
    files,
  };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(settings));
  return new Promise((resolve) => {
    execFile(process.execPath, [compiler, "--singleThreaded", "-p", folder], (_, output) => resolve(output));
  });
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "purser-generate-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** The generated client, and clients with one error each: the generated text and its replacement. */
const versions = {
  generated: ["", ""],
  "a date as text": ["day: Date;", "day: string;"],
  "an optional field as required": ["left?: string | undefined;", "left: string | undefined;"],
  "an open list as a closed one": [" | (string & Record<never, never>)", ""],
  "a null that may not be": ["cleared: string | null;", "cleared: string;"],
  "a mutation as a query": ['change: "mutation"', 'change: "query"'],
} as const;

/** Writes each version of the client with a drift guard like the real one. Returns the versions that do not compile. */
async function guardVersions(): Promise<string[]> {
  const folder = await temporaryFolder();
  await symlink(join(home, "node_modules"), join(folder, "node_modules"));
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  for (const file of [
    "src/options.ts",
    "src/methods.ts",
    "src/router-types.ts",
    "src/error.ts",
    "generate/parity.ts",
    "test/kinds.ts",
  ]) {
    await cp(join(home, file), join(folder, file));
  }
  for (const [name, [generated, wrong]] of Object.entries(versions)) {
    const version = join(folder, "src", name);
    await mkdir(version, { recursive: true });
    for (const [file, text] of generateFiles(kinds))
      await writeFile(join(version, file), text.replaceAll(generated, wrong));
    await writeFile(join(version, "guard.ts"), guard);
  }
  const output = await compile(
    folder,
    Object.keys(versions).map((name) => `src/${name}/guard.ts`),
  );
  return [...new Set([...output.matchAll(/^\S*?([^/]+)\/[\w-]+\.ts\(/gm)].map(([, name = ""]) => name))];
}

const guard = `
  import type { kinds } from "../../test/kinds.ts";
  import type { ImageOfClient, ImageOfRouter, Same } from "../../generate/parity.ts";
  import type { AppRouter } from "./app-router.ts";
  import type { procedures } from "./procedures.ts";
  import type { PurserClient } from "./purser-client.ts";
  export type Guards = [
    Same<ImageOfRouter<typeof kinds>, ImageOfClient<PurserClient, typeof procedures>>,
    Same<ImageOfRouter<typeof kinds>, ImageOfRouter<AppRouter>>,
  ];`;

describe("the generated client", () => {
  it("is up to date; if not, run pnpm generate", async () => {
    const folder = join(home, "src", "generated");
    const texts = (await readdir(folder)).map(
      async (name) => [name, await readFile(join(folder, name), "utf8")] as const,
    );
    expect(new Map(await Promise.all(texts))).toEqual(
      new Map([...generateFiles(appRouter), ...generateAuthFiles()]),
    );
  });

  // The compiler reads the whole service. `pnpm check types` does the same, so here it is left to the nightly profile.
  it.runIf(isNightly)("has exactly the router's inputs, outputs, procedure types and errors", async () => {
    expect(await compile(await temporaryFolder(), [join(home, "generate", "drift.test-d.ts")])).toBe("");
  });
});

describe("the documentation of a method", () => {
  const clients = {
    purser: new Map(readProcedures(appRouter).map(({ path, input }) => [path.join("."), input])),
    auth: new Map(
      authClientOperations.map(({ path, input }) => [
        path
          .slice(1)
          .replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
          .replaceAll("/", "."),
        input,
      ]),
    ),
  };

  /** Runs the calls of a published file. Returns the inputs by method. */
  async function callsOf(client: keyof typeof clients, file: string): Promise<Map<string, unknown>> {
    const text = await readFile(join(home, "src", "generated", file), "utf8");
    const docstrings = text.slice(text.indexOf("export interface Purser")).matchAll(/\/\*\*(.*?)\*\//gs);
    const inputs = new Map<string, unknown>();
    const recorder = (path: string): unknown =>
      new Proxy(() => {}, {
        get: (_, name) => recorder(path === "" ? String(name) : `${path}.${String(name)}`),
        apply: (_, __, call: unknown[]) => void inputs.set(path, call[0]),
      });
    for (const [, docstring = ""] of docstrings) {
      const [, example = ""] = docstring.replaceAll(/^ *\* ?/gm, "").split("@example\n");
      const call = /^(?:await|for await \(const \w+ of) (.*?\))(?:;|\)\n)/s.exec(example)?.[1];
      if (call !== undefined) runInNewContext(call, { [client]: recorder(""), Date });
    }
    return inputs;
  }

  it.each([
    ["purser", "purser-client.ts"],
    ["auth", "purser-auth.ts"],
  ] as const)("shows a call of it that its contract takes: %s", async (client, file) => {
    const calls = await callsOf(client, file);
    expect([...calls.keys()].toSorted()).toEqual([...clients[client].keys()].toSorted());
    const refused = [...clients[client]].filter(
      ([name, input]) => !z.safeParse(input, calls.get(name) ?? {}).success,
    );
    expect(refused.map(([name]) => name)).toEqual([]);
    const changes = [...calls].filter(([name]) => /(^|[.])(update|change)[^.]*$/.test(name));
    const empty = changes.filter(([, input]) =>
      Object.keys(input as object).every((name) => /id$/i.test(name)),
    );
    expect(empty).toEqual([]);
  });
});

describe("generateFiles", () => {
  it("writes every kind of contract as the type that zod infers, and the guard notices each difference", async () => {
    const { generated: _, ...wrong } = versions;
    expect((await guardVersions()).toSorted()).toEqual(Object.keys(wrong).toSorted());
  });

  it("writes the known values of an open list, and leaves it open", () => {
    const text = generateFiles(kinds).get("purser-client.ts");
    expect(text).toContain(
      'export type Reason = "too_large" | "too_late" | (string & Record<never, never>);',
    );
    expect(text).toContain("otherReason: Reason | null;");
  });

  it("documents procedures, types and fields", () => {
    const text = generateFiles(kinds).get("purser-client.ts");
    expect(text).toContain("/** The color. */\nexport type Color =");
    expect(text).toContain("  /** Assigned by the server. */\n  id: string;");
    expect(text).toMatch(
      /\* The page size\.\n {3}\*\n {3}\* @default 1000\n {3}\* @example 50\n {3}\*\/\n {2}limit\?: number \| undefined;/,
    );
    expect(text).toContain('  /**\n   * The color.\n   *\n   * @example "RED"\n   */\n  color: Color;');
    expect(text).toContain(
      '  /**\n   * Behind the text.\n   *\n   * @example "RED"\n   */\n  background: Color;',
    );
    expect(text).toContain('  /** @example ["RED"] */\n  colors: Color[];');
    expect(text).toContain(
      '   * Null if it never ends.\n   *\n   * @example new Date("2026-03-01T00:00:00.000Z")\n',
    );
    expect(text).toContain("* Reads a shape, or *\\/ nothing.");
    expect(text).toContain("* - `FORBIDDEN`: Your role does not allow this.");
    expect(text).toContain('export type AllDeeperShapeProblemCode = "FORBIDDEN";');
    expect(text).toContain("list: PurserList<ListInput | undefined, Folder>;");
    expect(text).toContain("shape: PurserQuery<AllDeeperShapeInput, AllDeeperShapeOutput>;");
    expect(text).toContain("nothing: PurserMutation<AllNothingInput, void>;");
    expect(generateFiles(kinds).get("app-router.ts")).toContain(
      "input: WithCursor<Purser.ListInput> | undefined;",
    );
  });

  const t = initTRPC.meta<{ summary: string }>().create();
  const described = t.procedure.meta({ summary: "A procedure." });
  const outputting = (output: z.ZodType) =>
    described
      .input(z.strictObject({}))
      .output(output)
      .query(() => null);
  const Named = z.object({ id: z.string() }).meta({ id: "Named" });
  const Defaulted = z.object({ id: z.string().default("") }).meta({ id: "Defaulted" });

  it.each([
    [
      "an example that the contract refuses",
      {
        a: described
          .input(
            z.strictObject({
              age: z
                .int()
                .min(18)
                .meta({ examples: [7] }),
            }),
          )
          .output(z.null())
          .query(() => null),
      },
      'a: the contract refuses the example {"age":7}',
    ],
    [
      "an unknown kind of contract",
      { a: outputting(z.map(z.string(), z.string())) },
      "a: Contracts of the type map",
    ],
    [
      "a transformation",
      { a: outputting(z.string().transform(Number)) },
      "a: Contracts of the type transform",
    ],
    ["coercion", { a: outputting(z.coerce.number()) }, "a: A contract that coerces"],
    ["undeclared fields", { a: outputting(z.looseObject({})) }, "a: Objects with undeclared fields"],
    [
      "one name for two contracts",
      { a: outputting(Named), b: outputting(z.object({}).meta({ id: "Named" })) },
      "b: Two",
    ],
    [
      "a contract that differs between input and output",
      {
        a: described
          .input(Defaulted)
          .output(Defaulted)
          .query(({ input }) => input),
      },
      "a: Defaulted differs between input and output",
    ],
    [
      "a name that is taken",
      { a: outputting(z.object({}).meta({ id: "AInput" })) },
      "AInput would be declared twice",
    ],
    [
      "a list whose items have no name",
      {
        a: described
          .input(z.strictObject({ after: z.string().optional() }))
          .output(z.array(z.object({ id: z.string() })))
          .query(() => []),
      },
      "A: the items of a list have a name",
    ],
    [
      "no output",
      { a: described.input(z.strictObject({})).query(() => null) },
      "a: a procedure has an output",
    ],
    ["no input", { a: described.output(z.null()).query(() => null) }, "a: a procedure has one input"],
    [
      "no summary",
      {
        a: t.procedure
          .input(z.strictObject({}))
          .output(z.null())
          .query(() => null),
      },
      "a: a procedure has a summary",
    ],
    [
      "a subscription without the contract of its values",
      {
        a: described
          .input(z.strictObject({}))
          .output(z.custom<AsyncIterable<null>>())
          .subscription(async function* () {}),
      },
      "a: a subscription, and nothing else, has values",
    ],
  ])("refuses %s", (_, record, message) => {
    expect(() => generateFiles(t.router(record))).toThrow(message);
  });
});
