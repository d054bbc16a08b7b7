import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { setup } from "@purser/testing/global-setup";
import { accessibilityFaults } from "@purser/testing/browser";
import { sizes, startTestConsole } from "./console.ts";
import { settled, visitPages } from "./visits.ts";

/**
 * `node apps/console/src/testing/screenshots.ts FOLDER [PAGE …]`: writes a picture of every page in each size and theme, and
 * prints what axe finds wrong.
 */
const [folder = "pictures", ...names] = process.argv.slice(2);
const out = resolve(folder);
mkdirSync(out, { recursive: true });
const stopDatabase = await setup();
let faults = 0;
try {
  const console = await startTestConsole();
  try {
    await visitPages(console, {
      sizes: Object.keys(sizes) as (keyof typeof sizes)[],
      themes: ["light", "dark"],
      names,
      async visit({ name, size, theme, page, violations }) {
        const { width, height } = sizes[size];
        const whole = await page.evaluate<number>("document.documentElement.scrollHeight");
        // A window as high as the page, so that its frame is, and a list has its rows. A list may be very long.
        await page.setViewportSize({ width, height: Math.min(whole, 3 * height) });
        await settled(page);
        await page.screenshot({ path: join(out, `${name}-${size}-${theme}.png`) });
        await page.setViewportSize({ width, height });
        const found = [...violations, ...(await accessibilityFaults(page))];
        faults += found.length;
        process.stdout.write(`${name} ${size} ${theme}: ${found.length === 0 ? "ok" : found.join("\n  ")}\n`);
      },
    });
  } finally {
    await console.close();
  }
} finally {
  await stopDatabase();
}
process.exitCode = faults === 0 ? 0 : 1;
