import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { isNightly } from "@purser/core/testing";
import type { ServiceSettings } from "@purser/service/settings";
import { type PageOptions, launchBrowser, openPage } from "@purser/testing/browser";
import type { Page } from "playwright-core";
import { startListeningService } from "./listening-service.ts";
import type { TestService, TestServiceOptions } from "./service.ts";

/** A listening service, a front end on its own origin to which users return, and a browser. */
export interface TestPages {
  service: TestService;
  /** The origin of the service. */
  base: string;
  /** The origin of the front end. */
  home: string;
  /** See {@link openPage}. The page may load from both origins. */
  open(url: string, options?: Partial<PageOptions>): ReturnType<typeof openPage>;
  /** The address to which the browser has returned. */
  returned(page: Page): Promise<URL>;
  close(): Promise<void>;
}

/** Call this after the tests. */
export async function startTestPages(
  settings: Partial<ServiceSettings> = {},
  parts: Pick<TestServiceOptions, "logger" | "tracing" | "webConsole"> = {},
): Promise<TestPages> {
  const frontEnd = createServer((_, response) => response.end("Welcome back")).listen(0, "127.0.0.1");
  await once(frontEnd, "listening");
  const home = `http://127.0.0.1:${(frontEnd.address() as AddressInfo).port}`;
  const { service, base, close } = await startListeningService({
    settings: (own) => ({ trustedOrigins: [own, home], ...settings }),
    ...parts,
  });
  const browser = await launchBrowser();
  return {
    service,
    base,
    home,
    open: (url, { from = [], ...options } = {}) =>
      openPage(browser, url, { from: [base, home, ...from], ...options }),
    async returned(page) {
      await page.getByText("Welcome back").waitFor();
      return new URL(page.url());
    },
    async close() {
      await browser.close();
      frontEnd.close();
      await close();
    },
  };
}

/** Types into the field with this label and presses Enter or moves on. No step needs a mouse. */
export async function fill(page: Page, fields: Record<string, string>): Promise<void> {
  // A link leads to a page whose script may still load. Without it, the form would send itself.
  await page.waitForLoadState();
  for (const [label, value] of Object.entries(fields)) {
    await page.getByLabel(label).focus();
    await page.keyboard.type(value);
  }
  await page.keyboard.press("Enter");
}

/** Whether a page scrolls sideways. */
export function isTooWide(page: Page): Promise<boolean> {
  return page.evaluate<boolean>(measureWidth);
}

const measureWidth = "document.documentElement.scrollWidth > document.documentElement.clientWidth";

/** The lowest contrast between a page's text and its background (WCAG 2), and whether it scrolls sideways. */
export function readability(page: Page): Promise<{ contrast: number; isTooWide: boolean }> {
  return page.evaluate<{ contrast: number; isTooWide: boolean }>(measure);
}

const measure = `(() => {
  const canvas = document.createElement("canvas").getContext("2d");
  const luminances = new Map();
  const luminance = (color) => {
    if (!luminances.has(color)) luminances.set(color, measureLuminance(color));
    return luminances.get(color);
  };
  const measureLuminance = (color) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((value) => {
      const share = value / 255;
      return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    const color = getComputedStyle(element).backgroundColor;
    return color === "rgba(0, 0, 0, 0)" && element.parentElement ? ground(element.parentElement) : color;
  };
  const withText = "h1, h2, p, a, label, legend, span, strong, dt, dd, th, td, li, summary, button, input";
  const ratios = [...document.querySelectorAll(withText)].map((element) => {
    const pair = [luminance(getComputedStyle(element).color), luminance(ground(element))].sort((a, b) => b - a);
    return (pair[0] + 0.05) / (pair[1] + 0.05);
  });
  return {
    contrast: Math.min(...ratios),
    isTooWide: ${measureWidth},
  };
})()`;

/** The pages of the API reference: one of each kind in the suite, and all of them in the nightly profile. */
export async function referencePaths(base: string): Promise<string[]> {
  if (!isNightly) return ["/docs", "/docs/guide", "/docs/webhooks", "/docs/cards", "/docs/problems"];
  const introduction = await (await fetch(`${base}/docs`)).text();
  const linked = new Set([...introduction.matchAll(/ href="(\/docs\/\w+)"/g)].map(([, path]) => path!));
  if (linked.size < 10) throw new Error(`The introduction links ${linked.size} pages only`);
  return ["/docs", ...linked];
}
