// @module-tag slow
import { createTestDatabase, builtService } from "@purser/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ServiceProcess, startService, stopServices, temporaryFolder } from "@purser/testing/process";

/**
 * Preloaded into a service. Kills the process just before it responds to a marked request, after the commit.
 */
const dying = `data:text/javascript,${encodeURIComponent(`
  import { ServerResponse } from "node:http";
  const writeHead = ServerResponse.prototype.writeHead;
  ServerResponse.prototype.writeHead = function (...head) {
    if (this.req.headers["x-die"]) process.kill(process.pid, "SIGKILL");
    return writeHead.apply(this, head);
  };
`)}`;

const folder = temporaryFolder();
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let script: string;
let service: ServiceProcess;
let token: string | null;
let userId: string;

beforeAll(async () => {
  script = await builtService();
  database = await createTestDatabase();
  service = await start();
  const account = { email: "ada@example.com", password: "correct horse battery", name: "Ada" };
  const signedUp = await post("/api/auth/sign-up/email", account);
  token = signedUp.headers.get("set-auth-token");
  ({ id: userId } = ((await signedUp.json()) as { user: { id: string } }).user);
});
afterAll(async () => {
  await stopServices();
  await database.drop();
  folder.remove();
});

function start(before?: string): Promise<ServiceProcess> {
  const env = { DATA_DIR: folder.path, DATABASE_URL: database.url, SEED_DEMO: "0", LOG_LEVEL: "warn" };
  return startService({ script, env, ...(before !== undefined && { before }) });
}

const bearer = () => ({ authorization: `Bearer ${token}` });

function post(
  path: string,
  body: object,
  headers: Record<string, string> = {},
  { url } = service,
): Promise<Response> {
  return fetch(url + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...(token && bearer()), ...headers },
    body: JSON.stringify(body),
  });
}

/**
 * Sends the request to a process that is killed before it responds, retries it with another, and returns that response.
 */
async function askTwice(path: string, body: object): Promise<{ status: number; body: { id: string } }> {
  const key = { "idempotency-key": path };
  const doomed = await start(dying);
  await expect(post(path, body, { ...key, "x-die": "1" }, doomed)).rejects.toThrow("fetch failed");
  expect(await doomed.ended).toBeNull();
  const response = await post(path, body, key);
  return { status: response.status, body: (await response.json()) as { id: string } };
}

async function list(path: string): Promise<{ id: string }[]> {
  const response = await fetch(service.url + path, { headers: bearer() });
  const found = (await response.json()) as { id: string }[] | { items: { id: string }[] };
  return Array.isArray(found) ? found : found.items;
}

describe("a mutation whose process is killed between commit and response", () => {
  it("takes effect once, and the retry receives its response", async () => {
    const created = await askTwice("/api/organizations", { name: "Acme" });
    expect(created.status).toBe(201);
    const { id } = created.body;
    expect(await list(`/api/organizations?userId=${userId}`)).toMatchObject([{ id }]);

    // This mutation calls a provider before it commits.
    const connected = await askTwice("/api/banking/connect", {
      teamId: id,
      provider: "sandbox",
      providerId: "sprout-bank",
      consentId: "ada",
    });
    expect(connected.status).toBe(201);
    const connections = await list(`/api/banking/connections?teamId=${id}`);
    expect(connections).toMatchObject([{ id: connected.body.id }]);
  });
});
