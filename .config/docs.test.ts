import { existsSync, globSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { environmentTable } from "../packages/service/src/settings.ts";

const root = resolve(import.meta.dirname, "..");
const read = (file: string) => readFileSync(join(root, file), "utf8");
const pages = globSync("**/*.md", { cwd: root, exclude: (path) => /(^|\/)(node_modules|dist)$/.test(path) });

describe("a page", () => {
  it.each(pages)("%s has no dead link", (page) => {
    const links = [...prose(read(page)).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].map(
      ([, to = ""]) => to,
    );
    expect(links.filter((link) => !leadsSomewhere(page, link))).toEqual([]);
  });

  it.each(pages)("%s names only files that exist", (page) => {
    const named = [
      ...prose(read(page)).matchAll(/`((?:apps|packages|docs|bench|patches|\.config|\.ci)\/[^`\s]*)`/g),
    ];
    const paths = named.map(([, path = ""]) => path).filter((path) => !/[<>…*]/.test(path));
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

/** The text without blocks of code, whose contents are no Markdown. */
function prose(text: string): string {
  return text.replaceAll(/^```.*?^```/gms, "");
}

function leadsSomewhere(page: string, link: string): boolean {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? page : join(dirname(page), path);
  if (!existsSync(join(root, target))) return false;
  return anchor === undefined || anchors(read(target)).has(anchor);
}

/** The anchors that GitHub gives to the headings of a page. */
function anchors(text: string): Set<string> {
  const headings = [...prose(text).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

describe("the decision records", () => {
  const folder = "docs/decisions";
  const records = readdirSync(join(root, folder)).filter((name) => name !== "README.md");

  it("have unique numbers", () => {
    const numbers = records.map((name) => /^(\d{4})-[a-z0-9-]+\.md$/.exec(name)?.[1]);
    expect(numbers).not.toContain(undefined);
    expect(numbers).toEqual([...new Set(numbers)]);
  });

  it("are one page each", () => {
    const texts = records.map((name) => ({ name, text: read(join(folder, name)) }));
    const longer = texts.filter(({ text }) => text.split("\n").length > 60 || text.length > 4500);
    expect(longer.map(({ name }) => name)).toEqual([]);
  });

  it("are all in the index, in order", () => {
    const listed = [...read(join(folder, "README.md")).matchAll(/\]\((\d{4}-[^)]+)\)/g)];
    expect(listed.map(([, name]) => name)).toEqual(records.toSorted());
  });
});

describe("the workflows", () => {
  const folder = ".github/workflows";
  const text = readdirSync(join(root, folder))
    .map((name) => read(join(folder, name)))
    .join("\n");

  it("run scripts of package.json with the pnpm of the README", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    const run = [...text.matchAll(/\$pnpm (\S+)/g)].map(([, script = ""]) => script);
    expect(run.length).toBeGreaterThan(0);
    expect(run.filter((script) => script !== "install" && !(script in scripts))).toEqual([]);
    const versions = [...`${text}${read("README.md")}`.matchAll(/pnpm@([\d.]+)/g)].map(
      ([, version]) => version,
    );
    expect(new Set(versions).size).toBe(1);
  });

  it("clone every repository that `vendors:check` reads", () => {
    const listed = [
      ...read("packages/vendor-contract/README.md").matchAll(/^\| `(\S+)` +\| `github\.com\/(\S+)`/gm),
    ];
    const clones = [...text.matchAll(/^ +([a-z]+\/\S+) (\w[\w-]*\/\S+)$/gm)];
    const pairs = (found: RegExpExecArray[]) => found.map(([, to, from]) => `${to} ${from}`);
    expect(listed.length).toBeGreaterThan(0);
    expect(pairs(clones)).toEqual(pairs(listed));
  });
});

describe("docs/settings.md", () => {
  it("lists every environment variable that the service reads", () => {
    const [, after = ""] = read("docs/settings.md").split("<!-- environment:begin -->");
    expect(cells(after.split("<!-- environment:end -->")[0] ?? "")).toEqual(cells(environmentTable()));
  });
});

/** The rows of a Markdown table, without the alignment that the formatter adds. */
function cells(table: string): string[][] {
  const rows = table.split("\n").filter((line) => line.startsWith("|"));
  return rows.map((row) => row.split("|").map((cell) => cell.trim().replace(/^-+$/, "-")));
}
