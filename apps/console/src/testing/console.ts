import { type ServiceProcess, startService, stopServices } from "@purser/testing/process";
import { type PageOptions, launchBrowser, openPageIn } from "@purser/testing/browser";
import { builtService, createTestDatabase } from "@purser/testing";
import { createPurserClient } from "@purser/client";
import { createPurserAuth } from "@purser/client/auth";
import type { Browser, Page } from "playwright-core";

/** The built service with its console and the demo data, and a browser that looks at it. */
export interface TestConsole {
  base: string;
  service: ServiceProcess;
  browser: Browser;
  /** Opens a path in a browser context of its own, as a user who is signed in, or as a guest. */
  open(path: string, options?: OpenOptions): Promise<OpenedPage>;
  /** Signs up a new user with a confirmed address, and an organization of theirs if it has a name. */
  newUser(organization?: string): Promise<TestUser>;
  /** The demo data's owner and member. */
  demo: Record<"owner" | "member", TestUser>;
  close(): Promise<void>;
}

export interface OpenedPage {
  page: Page;
  /** Violations of the policy, script errors, and requests to other hosts. */
  violations: string[];
}

export interface TestUser {
  email: string;
  password: string;
  /** The client as this user, for what happens elsewhere. */
  purser: ReturnType<typeof createPurserClient>;
  /** The first organization of this user, or "". */
  organizationId: string;
}

export interface OpenOptions extends Partial<PageOptions> {
  user?: TestUser;
  size?: keyof typeof sizes;
}

/** The sizes at which every page is looked at. */
export const sizes = {
  phone: { width: 375, height: 812 },
  tablet: { width: 768, height: 1024 },
  desktop: { width: 1440, height: 900 },
} as const;

/** The sizes in which a person makes each journey: on a phone, too, in the nightly profile. */
export const journeySizes: readonly ("desktop" | "phone")[] =
  process.env["PURSER_PROFILE"] === "nightly" ? ["desktop", "phone"] : ["desktop"];

const password = "purser-demo-1";
let users = 0;

/** Starts all of it. Test files of one run share the build. Call `close` after the tests. */
export async function startTestConsole(env: Record<string, string> = {}): Promise<TestConsole> {
  const [script, database, browser] = await Promise.all([
    builtService(),
    createTestDatabase(),
    launchBrowser(),
  ]);
  const service = await startService({ script, env: { DATABASE_URL: database.url, ...env } });
  // The origin that the service takes for its own, and trusts.
  const base = `http://localhost:${service.port}`;
  const signIn = async (email: string): Promise<TestUser> => {
    const { bearerToken } = await createPurserAuth({ baseUrl: base }).signIn.email({ email, password });
    const purser = createPurserClient({ baseUrl: base, token: bearerToken ?? "" });
    const { memberships } = await purser.me.get();
    return { email, password, purser, organizationId: memberships[0]?.organizationId ?? "" };
  };
  return {
    base,
    service,
    browser,
    demo: {
      owner: await signIn("owner@demo.example"),
      member: await signIn("member@demo.example"),
    },
    async newUser(organization) {
      users += 1;
      const email = `person-${users}@example.com`;
      await createPurserAuth({ baseUrl: base }).signUp.email({ name: `Person ${users}`, email, password });
      const user = await signIn(email);
      if (organization === undefined) return user;
      const { id } = await user.purser.organizations.create({ name: organization });
      return { ...user, organizationId: id };
    },
    async open(path, { user, size = "desktop", ...options } = {}) {
      const context = await browser.newContext({
        viewport: sizes[size],
        reducedMotion: "reduce",
        ...options,
      });
      // Before the test ends, so that its failure names what was waited for.
      context.setDefaultTimeout(25_000);
      if (user !== undefined) {
        const { email } = user;
        const answer = await context.request.post(`${base}/api/auth/sign-in/email`, {
          data: { email, password: user.password },
          headers: { origin: base },
        });
        if (!answer.ok()) throw new Error(`Sign-in: ${answer.status()} ${await answer.text()}`);
      }
      return openPageIn(context, base + path, [base]);
    },
    async close() {
      await browser.close();
      await stopServices();
      await database.drop();
    },
  };
}
