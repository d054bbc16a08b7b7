import type { Page } from "playwright-core";
import type { TestConsole, sizes } from "./console.ts";

type Size = keyof typeof sizes;
type Theme = "light" | "dark";

interface Visit {
  name: string;
  size: Size;
  theme: Theme;
  page: Page;
  violations: readonly string[];
}

/** The pages of the demo organization. `at` is the path behind the organization, or a whole one. */
const places: readonly { name: string; at: string }[] = [
  { name: "overview", at: "" },
  { name: "accounts", at: "/accounts" },
  { name: "accounts-connect", at: "/accounts/connect" },
  { name: "transactions", at: "/transactions" },
  { name: "cards", at: "/cards" },
  { name: "cards-new", at: "/cards/new" },
  { name: "policies", at: "/policies" },
  { name: "policies-new", at: "/policies/new" },
  { name: "team", at: "/team" },
  { name: "billing", at: "/billing" },
  { name: "developers", at: "/developers" },
  { name: "sandbox", at: "/sandbox" },
];
const placesOfUser = [
  { name: "welcome", at: "/welcome" },
  { name: "account", at: "/account" },
];

/** Opens every page as the demo's owner, in each size and theme, and waits until nothing is loading. */
export async function visitPages(
  { open, demo, base }: TestConsole,
  {
    sizes,
    themes,
    names = [],
    visit,
  }: {
    sizes: readonly Size[];
    themes: readonly Theme[];
    /** Only these pages. Empty: all. */
    names?: readonly string[];
    visit: (visit: Visit) => Promise<void>;
  },
): Promise<void> {
  const wanted = [
    ...places.map(({ name, at }) => ({ name, path: `/${demo.owner.organizationId}${at}` })),
    ...placesOfUser.map(({ name, at }) => ({ name, path: at })),
  ].filter(({ name }) => names.length === 0 || names.includes(name));
  for (const size of sizes)
    for (const theme of themes) {
      const { page, violations } = await open("/assets/purser.svg", {
        user: demo.owner,
        size,
        colorScheme: theme,
      });
      for (const { name, path } of wanted) {
        await page.goto(base + path);
        await settled(page);
        await visit({ name, size, theme, page, violations: violations.splice(0) });
      }
      await page.context().close();
    }
}

/** Waits until a page has its heading and nothing on it is loading. */
async function settled(page: Page): Promise<void> {
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  await page.evaluate(nothingLoads);
}

/** A part of a page may begin to load a few frames after its heading. */
const nothingLoads = `new Promise((done) => {
  let frames = 0;
  const look = () => {
    frames = document.querySelector(".mantine-Skeleton-root") === null ? frames + 1 : 0;
    if (frames === 20) done();
    else requestAnimationFrame(look);
  };
  look();
})`;
