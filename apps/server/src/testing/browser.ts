import chromium from "@sparticuz/chromium";
import { type Browser, chromium as playwright } from "playwright-core";

/** A real browser without a window: the one that came with the install on Linux, elsewhere the machine's own Chrome. */
export async function launchBrowser(): Promise<Browser> {
  if (process.platform !== "linux" || process.arch !== "x64") return playwright.launch({ channel: "chrome" });
  // Not the package's own arguments: among them is one that switches off web security, which is under test here.
  const args = ["--no-sandbox", "--disable-gpu"];
  return playwright.launch({ executablePath: await unpacked(), args });
}

/** The browser unpacks itself into the folder for temporary files: on the disk, where the next run finds it again. */
async function unpacked(): Promise<string> {
  const { TMPDIR: memory, PURSER_TEST_DISK: disk } = process.env;
  if (memory === undefined || disk === undefined) return chromium.executablePath();
  process.env["TMPDIR"] = disk;
  try {
    return await chromium.executablePath();
  } finally {
    process.env["TMPDIR"] = memory;
  }
}
