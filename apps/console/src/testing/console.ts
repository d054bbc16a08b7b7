import { type ServiceProcess, cheapPasswords, startService, stopServices } from "@purser/testing/process";
import { type PageOptions, browserTimeoutMs, launchBrowser, openPageIn } from "@purser/testing/browser";
import { builtService, createTestDatabase } from "@purser/testing";
import { createPurserClient } from "@purser/client";
import { createPurserAuth } from "@purser/client/auth";
import type { Browser, BrowserContext, Page } from "playwright-core";

/** The built service with its console and the demo data, and a browser that looks at it. */
export interface TestConsole {
  base: string;
  service: ServiceProcess;
  browser: Browser;
  /**
   * Opens a path as a user who is signed in, or as a guest. A user signs in once for all pages of the same options, which
   * share a browser context and its cache. A guest always has a new context, as has a test that asks for its own.
   */
  open(path: string, options?: OpenOptions): Promise<OpenedPage>;
  /** Signs up a new user with a confirmed address, and an organization of theirs if it has a name. */
  newUser(organization?: string): Promise<TestUser>;
  /** Creates another organization of the demo data's owner, who is signed in already. */
  newOrganization(name: string): Promise<TestUser>;
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
  /** A context of its own, also for a user: the test closes it, or takes it offline. */
  ownContext?: boolean;
}

/** The sizes at which every page is looked at. */
export const sizes = {
  phone: { width: 375, height: 812 },
  tablet: { width: 768, height: 1024 },
  desktop: { width: 1440, height: 900 },
} as const;

const password = "purser-demo-1";
let users = 0;

/** Starts all of it. Test files of one run share the build. Call `close` after the tests. */
export async function startTestConsole(env: Record<string, string> = {}): Promise<TestConsole> {
  const [script, database, browser] = await Promise.all([
    builtService(),
    createTestDatabase(),
    launchBrowser(),
  ]);
  const service = await startService({
    script,
    // On a busy machine, a form would not wait longer for a free connection.
    env: { DATABASE_URL: database.url, DATABASE_POOL_SIZE: "30", ...env },
    before: cheapPasswords,
  });
  // The origin that the service takes for its own, and trusts.
  const base = `http://localhost:${service.port}`;
  const auth = createPurserAuth({ baseUrl: base });
  const userOf = async (email: string, bearerToken: string | null): Promise<TestUser> => {
    const purser = createPurserClient({
      baseUrl: base,
      token: bearerToken ?? "",
      timeoutMs: browserTimeoutMs,
    });
    const { memberships } = await purser.me.get();
    return { email, password, purser, organizationId: memberships[0]?.organizationId ?? "" };
  };
  const signIn = async (email: string) => {
    const { bearerToken } = await auth.signIn.email({ email, password });
    return userOf(email, bearerToken);
  };
  const [owner, member] = await Promise.all(["owner@demo.example", "member@demo.example"].map(signIn));
  const newOrganization = async (user: TestUser, name: string): Promise<TestUser> => {
    const { id } = await user.purser.organizations.create({ name });
    return { ...user, organizationId: id };
  };
  const contextOf = keptContexts(browser, base);
  return {
    base,
    service,
    browser,
    demo: { owner: owner!, member: member! },
    newOrganization: (name) => newOrganization(owner!, name),
    async newUser(organization) {
      users += 1;
      const email = `person-${users}@example.com`;
      const { bearerToken } = await auth.signUp.email({ name: `Person ${users}`, email, password });
      const user = await userOf(email, bearerToken);
      return organization === undefined ? user : newOrganization(user, organization);
    },
    open: async (path, options = {}) => openPageIn(await contextOf(options), base + path, [base]),
    async close() {
      await browser.close();
      await stopServices();
      await database.drop();
    },
  };
}

/** Opens browser contexts, and keeps those of users who are signed in. */
function keptContexts(browser: Browser, base: string): (options: OpenOptions) => Promise<BrowserContext> {
  const kept = new Map<string, Promise<BrowserContext>>();
  const create = async ({ user, size = "desktop", ...options }: OpenOptions): Promise<BrowserContext> => {
    const context = await browser.newContext({
      viewport: sizes[size],
      reducedMotion: "reduce",
      ...options,
    });
    context.setDefaultTimeout(browserTimeoutMs);
    if (user === undefined) return context;
    const { email } = user;
    const answer = await context.request.post(`${base}/api/auth/sign-in/email`, {
      data: { email, password: user.password },
      headers: { origin: base },
    });
    if (!answer.ok()) throw new Error(`Sign-in: ${answer.status()} ${await answer.text()}`);
    return context;
  };
  return async ({ user, ownContext = false, ...options }) => {
    if (user === undefined || ownContext) return create({ ...options, ...(user !== undefined && { user }) });
    const key = JSON.stringify([user.email, options]);
    const known = kept.get(key);
    if (known !== undefined) return known;
    const created = create({ user, ...options });
    kept.set(key, created);
    return created;
  };
}
