import { existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import chromium from "@sparticuz/chromium";
import { type Browser, chromium as playwright } from "playwright-core";

/** A real browser without a window: the one that came with the install on Linux, elsewhere the machine's own Chrome. */
export async function launchBrowser(): Promise<Browser> {
  if (process.platform !== "linux" || process.arch !== "x64") return playwright.launch({ channel: "chrome" });
  // Not the package's own arguments: among them is one that switches off web security, which is under test here.
  const args = ["--no-sandbox", "--disable-gpu"];
  return playwright.launch({ executablePath: await unpacked(), args });
}

/** Within the browser's package, so that the next run finds it again, and another version has another one. */
const browserFolder = fileURLToPath(new URL("../unpacked", import.meta.resolve("@sparticuz/chromium")));

/** Unpacks the browser where that has not been done. It gets its name when it is whole: others may look for it now. */
async function unpacked(): Promise<string> {
  if (!existsSync(browserFolder)) {
    const own = mkdtempSync(`${browserFolder}-`);
    const { TMPDIR: before } = process.env;
    // The package unpacks into the folder for temporary files, whichever that is.
    process.env["TMPDIR"] = own;
    try {
      await chromium.executablePath();
      renameSync(own, browserFolder);
    } catch (error) {
      // Another file of tests needed it at the same time, and was done sooner.
      if (!existsSync(browserFolder)) throw error;
    } finally {
      if (before === undefined) delete process.env["TMPDIR"];
      else process.env["TMPDIR"] = before;
      rmSync(own, { recursive: true, force: true });
    }
  }
  return join(browserFolder, "chromium");
}
