import chromium from "@sparticuz/chromium";
import { type Browser, chromium as playwright } from "playwright-core";

/** A real browser without a window: the one that came with the install on Linux, elsewhere the machine's own Chrome. */
export async function launchBrowser(): Promise<Browser> {
  if (process.platform !== "linux" || process.arch !== "x64") return playwright.launch({ channel: "chrome" });
  // Not the package's own arguments: among them is one that switches off web security, which is under test here.
  const args = ["--no-sandbox", "--no-zygote", "--use-gl=angle", "--use-angle=swiftshader"];
  return playwright.launch({ executablePath: await chromium.executablePath(), args });
}
