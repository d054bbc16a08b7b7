import { existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import chromium from "@sparticuz/chromium";
import { type Browser, chromium as playwright } from "playwright-core";

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
