import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import chromium from "@sparticuz/chromium";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
  chromium as playwright,
} from "playwright-core";

/** A headless browser: on Linux the one that the package includes, elsewhere the machine's own Chrome. */
export async function launchBrowser(): Promise<Browser> {
  if (process.platform !== "linux" || process.arch !== "x64") return playwright.launch({ channel: "chrome" });
  // The package's own arguments would switch off web security, which is under test here.
  const args = ["--no-sandbox", "--disable-gpu"];
  return playwright.launch({ executablePath: await unpacked(), args });
}

/** Inside the package's folder, so later runs reuse it and another version of the package has its own. */
const browserFolder = fileURLToPath(new URL("../unpacked", import.meta.resolve("@sparticuz/chromium")));

/** Unpacks the browser once. It is renamed only when complete, because other processes may look for it. */
async function unpacked(): Promise<string> {
  if (!existsSync(browserFolder)) {
    const own = mkdtempSync(`${browserFolder}-`);
    const { TMPDIR: before } = process.env;
    // The package unpacks into the folder for temporary files.
    process.env["TMPDIR"] = own;
    try {
      await chromium.executablePath();
      renameSync(own, browserFolder);
    } catch (error) {
      // Another test file has unpacked it in the meantime.
      if (!existsSync(browserFolder)) throw error;
    } finally {
      if (before === undefined) delete process.env["TMPDIR"];
      else process.env["TMPDIR"] = before;
      rmSync(own, { recursive: true, force: true });
    }
  }
  return join(browserFolder, "chromium");
}

/**
 * How long a test waits for what a page shows. Long, for a busy machine; and shorter than the test, so that its failure names
 * what was waited for.
 */
export const browserTimeoutMs = 120_000;

/** How a user views a page, and from which origins it may load. */
export interface PageOptions extends BrowserContextOptions {
  from: readonly string[];
}

/**
 * Opens a page in a browser context of its own. The violations are policy violations, script errors, and requests to
 * any other origin.
 */
export async function openPage(
  browser: Browser,
  url: string,
  { from, ...options }: PageOptions,
): Promise<{ page: Page; violations: string[] }> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(browserTimeoutMs);
  return openPageIn(context, url, from);
}

/** Opens a page in a browser context that exists, such as one that is signed in. */
export async function openPageIn(
  context: BrowserContext,
  url: string,
  from: readonly string[],
): Promise<{ page: Page; violations: string[] }> {
  const page = await context.newPage();
  const violations: string[] = [];
  page.on("console", (message) => {
    // A browser also reports every response from 400 on, which a page may expect.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      violations.push(message.text());
  });
  page.on("pageerror", (error) => violations.push(error.message));
  page.on("request", (request) => {
    if (![...from, "data:"].some((origin) => request.url().startsWith(origin)))
      violations.push(`requested ${request.url()}`);
  });
  await page.goto(url);
  return { page, violations };
}

/** Makes the browser forget who is signed in, as after the end of a session. */
export async function forgetSession(page: Page): Promise<void> {
  // A page whose next request is refused leads to the sign-in, which would interrupt the test's own navigation.
  await page.goto("about:blank");
  await page.context().clearCookies();
}

/** What axe finds wrong with a page, with the elements concerned. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate<string[]>(
    `axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ": " + target)))`,
  );
}

const axe = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");
