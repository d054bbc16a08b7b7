// @module-tag slow
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { builtService, createTestDatabase, isNightly } from "@purser/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ServiceProcess, startService, stopServices, temporaryFolder } from "@purser/testing/process";
import { runShell } from "./testing/shell.ts";
import { type TypeScriptProject, createTypeScriptProject } from "./testing/typescript-project.ts";

const testing = "@purser/testing";
const root = join(import.meta.dirname, "../../..");
const guide = readFileSync(join(root, "docs/guide.md"), "utf8");
const [steps = "", recipes = ""] = guide.split(/^## Recipes$/m);
const folder = temporaryFolder();
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let service: ServiceProcess;
let project: TypeScriptProject;

beforeAll(async () => {
  database = await createTestDatabase();
  const env = { DATABASE_URL: database.url, DATA_DIR: join(folder.path, "data"), LOG_LEVEL: "warn" };
  const script = await builtService();
  [service, project] = await Promise.all([startService({ script, env }), createTypeScriptProject()]);
});
afterAll(async () => {
  await stopServices();
  await database?.drop();
  await project?.remove();
  folder.remove();
});

/** The code of a language, in order, for the service under test. The first step starts the service. */
function codeOf(text: string, language: string): string[] {
  const blocks = [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))];
  return blocks
    .map(([, code = ""]) => code.replaceAll("localhost:3000", `localhost:${service.port}`))
    .filter((code) => !code.includes("pnpm@"));
}

/** What the recipes print in curl, in their order. */
const recipesPrint = new RegExp(
  [
    "^[A-Z_]+", // the type of a bank account, by a key of the organization
    "owner@demo.example", // by a key of a user
    "\\[\n  'Starter local_starter_monthly local_starter_yearly',\n.*\n.*\n]", // plans
    "Business\n9900\ntrue\n\\d{4}-.*Z", // the subscription
    "ACTIVE\ntrue\nCANCELED", // after its cancellation
    "true\n\\[\n(?:.*\n)*.*moneyIn: \\d+,(?:.*\n)+\\]", // reports
    "whsec_.*\nwebhook_endpoint.test\n$",
  ].join("\n"),
);

/** The steps in TypeScript. Prints the decision on the declined purchase. */
const stepsModule = () => `${codeOf(steps, "ts").join("\n")}\nconsole.log("@" + JSON.stringify(decision));`;

/** What the guide says of the declined purchase. */
const explained = () => JSON.parse(codeOf(steps, "json")[0]!) as Record<string, unknown>;

describe("the guide", () => {
  it("has ten steps, each with the same in curl and in TypeScript", () => {
    const sections = steps.split(/^## /m).slice(1);
    expect(sections.map((section) => Number.parseInt(section, 10))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    const lacking = sections
      .slice(1)
      .filter((section) => codeOf(section, "sh").length !== 1 || codeOf(section, "ts").length !== 1);
    expect(lacking).toEqual([]);
  });

  it("begins with commands that our stand-in for curl runs as well", async () => {
    const script = `${codeOf(steps, "sh").slice(0, 3).join("\n")}\necho "@$TEAM"`;
    const { code, stdout } = await runShell(script, {
      folder: folder.path,
      env: { TOKEN: "" },
      standIn: true,
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/@org_\w{26}\n$/) });
  });

  it("defines helpers that print why a call is refused", async () => {
    const script = [
      ...codeOf(steps, "sh").slice(0, 2),
      "purser $API/keys -d '{}' | field .key || true",
      "purser $API/organizations/org_unknown | field .name || true",
      "API=http://localhost:9/api",
      "purser $API/me | field .id",
    ].join("\n");
    const { code, stdout, stderr } = await runShell(script, { folder: folder.path, env: { TOKEN: "" } });
    expect({ code: code > 0, stdout }).toEqual({ code: true, stdout: "" });
    expect(stderr).toContain(
      "The input is not valid. organizationId: Required. name: Required. access: Required.",
    );
    expect(stderr).toContain("There is no such organization.\nGET /api/organizations lists");
    // Without a response there is only what curl says.
    expect(stderr).not.toContain("JSON.parse");
  });

  it.each(isNightly ? [false, true] : [false])(
    "explains a decline with its commands as they are written (stand-in for curl: %s)",
    async (standIn) => {
      const script = `${codeOf(steps, "sh").join("\n")}\necho "@$(purser "$API/cards/transactions/$DECLINED/decision?organizationId=$TEAM")"`;
      const { code, stdout, stderr } = await runShell(script, {
        folder: folder.path,
        env: { TOKEN: "" },
        ...(standIn && { standIn }),
      });
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toMatch(/transactionDate: '\d{4}-/);
      expect(stdout).toContain("PENDING\n");
      expect(JSON.parse(stdout.split("\n@")[1]!)).toMatchObject(explained());
    },
  );

  it("explains a decline with its TypeScript as it is written", async () => {
    await project.write({ "guide.ts": stepsModule() });
    const { code, output } = await project.run("guide.ts");
    expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining("PENDING DECLINED") });
    expect(JSON.parse(output.split("\n@")[1]!)).toMatchObject(explained());
  });

  it("has recipes that run in curl, and compile; some run in TypeScript too", async () => {
    const commands = [...codeOf(steps, "sh").slice(0, 2), ...codeOf(recipes, "sh")].join("\n");
    expect(await runShell(commands, { folder: folder.path, env: { TOKEN: "" } })).toEqual({
      code: 0,
      stdout: expect.stringMatching(recipesPrint),
      stderr: "",
    });
    expect(readFileSync(join(folder.path, "transactions.csv"), "utf8")).toMatch(/^id,.*\r\nbtx_/);

    const modules = codeOf(recipes, "ts").map((code, index) => [`recipe-${index}.ts`, code] as const);
    const components = codeOf(recipes, "tsx").map((code, index) => [`component-${index}.tsx`, code]);
    expect([modules.length, components.length]).toEqual([9, 2]);
    const calling = modules.filter(([, code]) => !code.includes(testing));
    // With the steps, so that the compiler runs once.
    await project.write({ "guide.ts": stepsModule(), ...Object.fromEntries([...calling, ...components]) });
    for (const name of ["react", "@types/react", "@tanstack/react-query"]) await project.link(name);
    expect(await project.check({ jsx: "react-jsx" })).toBe("");
    const run = (part: string) => project.run(modules.find(([, code]) => code.includes(part))![0]);
    expect(await run("events.stream")).toEqual({ code: 0, output: "The new name is Acme Inc.\n" });
    expect(await run("keys.create")).toEqual({ code: 0, output: expect.stringMatching(/^[A-Z_]+\n$/) });
    expect(await run("billing.checkout")).toEqual({
      code: 0,
      output: expect.stringMatching(/^Business 9900 GBP true \d{4}-\S+Z\nACTIVE true\nCANCELED\n$/),
    });
  });

  it("lists the test cards that the sandbox's checkout names", async () => {
    const checkout = codeOf(recipes, "sh").find((code) => code.includes("/billing/checkout"))!;
    const [upToCheckout = ""] = checkout.split(/^curl /m);
    const script = [...codeOf(steps, "sh").slice(0, 2), upToCheckout, 'curl -sS "$CHECKOUT"'].join("\n");
    const { stdout } = await runShell(script, { folder: folder.path, env: { TOKEN: "" } });
    const shown = [...stdout.matchAll(/<li><code>([\d ]+)<\/code>/g)].map(([, number]) => number);
    expect(shown.length).toBeGreaterThan(3);
    expect([...recipes.matchAll(/^\| `([\d ]+)` /gm)].map(([, number]) => number)).toEqual(shown);
  });

  it("has a recipe for tests, which runs", async () => {
    const recipe = codeOf(recipes, "ts").find((code) => code.includes(testing))!;
    await project.write({ "test.ts": recipe });
    await project.link(testing, "apps/server");
    // In this process, which has loaded the service already.
    await expect(import(pathToFileURL(join(project.folder, "test.ts")).href)).resolves.toBeDefined();
    // Its types lead to those of the whole service, which take the compiler many seconds.
    if (isNightly) expect(await project.check({ jsx: "react-jsx" })).toBe("");
  });
});

describe("README.md", () => {
  it("shows transactions at the first look", async () => {
    const [, first = ""] = readFileSync(join(root, "README.md"), "utf8").split("## Call it");
    const commands = codeOf(first.split("## ")[0]!, "sh").join("\n");
    const { code, stdout, stderr } = await runShell(commands, { folder: folder.path });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.match(/"id":"btx_/g)).toHaveLength(5);
  });
});
