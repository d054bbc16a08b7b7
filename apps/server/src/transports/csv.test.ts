// @module-tag slow
import { type Socket, connect } from "node:net";
import { BankTransaction } from "@purser/banking/transactions";
import { CardTransaction } from "@purser/cards/transactions";
import { type Logger, csvCell, csvColumns } from "@purser/core";
import { type Person, countWaitingForLocks, distributedDatabaseUrl, stayIdle } from "@purser/testing";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ListeningService, startListeningService } from "../testing/listening-service.ts";
import { openSheet, sheetTexts } from "../testing/spreadsheet.ts";
import { maxFilesPerOrganization } from "./csv-limits.ts";

/** More than a page. */
const history = 4500;

let listening: ListeningService;
let owner: Person;
let member: Person;
let leaver: Person;
let teamId: string;
let connectionId: string;
let accountId: string;
let cardIds: string[];

/** The lines of the log, by their level. */
const lines: { level: string; fields: object }[] = [];
const write = (level: keyof Logger) => (fields: object) => void lines.push({ level, fields });
const logger = { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };

beforeAll(async () => {
  listening = await startListeningService({ logger });
  const { purser } = listening.service;
  [owner, member, leaver] = [await purser.person(), await purser.person(), await purser.person()];
  teamId = await purser.organization(owner, { members: [member, leaver] });
  const { banking } = purser.as(owner);
  const bank = { provider: "sandbox", providerId: "sprout-bank", consentId: "csv" } as const;
  ({ id: connectionId } = await banking.connections.connect({ teamId, ...bank }));
  const accounts = await banking.accounts.list({ teamId });
  accountId = accounts.find(({ currency }) => currency === "GBP")!.id;
  // As the search index has the amount and one of the words.
  const key = teamId.slice(-6);
  await purser.db.execute(sql`
    INSERT INTO bank_transactions (organization_id, id, account_id, connection_id, external_id, status, amount, raw_amount,
      currency, type, description, transaction_date, category, note, search, created_at, updated_at)
    SELECT ${teamId}, 'btx_' || lpad(n::text, 26, '0'), ${accountId}, ${connectionId}, 'x' || n, 'POSTED', n, '1', 'GBP',
      'DEBIT', (${sql.param(sheetTexts)}::text[])[1 + n % ${sheetTexts.length}::int], date '2020-01-01' + n / 20, NULL,
      CASE n % 3 WHEN 0 THEN '=cmd' END,
      array_to_tsvector(ARRAY[${key} || '$' || length(n::text) || n, ${key} || CASE n % 8 WHEN 7 THEN 'zurich' ELSE 'x' END]),
      now(), now()
    FROM generate_series(1, ${history}::int) AS n`);
  cardIds = [await newCard(owner), await newCard(member)];
  await insertPurchases(1, 100);
});

/** Purchases with the two cards in turn. */
async function insertPurchases(first: number, last: number): Promise<void> {
  await listening.service.purser.db.execute(sql`
    INSERT INTO card_transactions (organization_id, id, card_id, status, amount, currency, merchant_name, merchant_id,
      channel, description, authorized, held, cleared, refunded, purchased_at, local_day, created_at, settled_at, decline_reason)
    SELECT ${teamId}, 'ctx_' || lpad(n::text, 26, '0'), (${sql.param(cardIds)}::text[])[1 + n % 2], CASE n % 5 WHEN 0 THEN 'COMPLETED' ELSE 'DECLINED' END, n - 20,
      ('{EUR,JPY,KWD,CLF}'::text[])[1 + n % 4], (${sql.param(sheetTexts)}::text[])[1 + n % ${sheetTexts.length}::int], NULL, 'online',
      CASE n % 3 WHEN 0 THEN '' WHEN 1 THEN '=cmd' END, n, 0, n, 0, now(), '2026-03-01', now() - n * interval '1.001 s',
      CASE n % 5 WHEN 0 THEN now() END, CASE n % 5 WHEN 0 THEN NULL ELSE 'card_frozen' END
    FROM generate_series(${first}::int, ${last}::int) AS n`);
}

async function newCard(holder: Person): Promise<string> {
  const { cards } = listening.service.purser.as(owner);
  const organizationId = teamId;
  const { id: policyId } = await cards.policies.create({ organizationId, name: "Policy" });
  const terms = { fundingAccountId: accountId, policyId, purpose: "BUSINESS" } as const;
  return (await cards.create({ organizationId, assignedToId: holder.userId, ...terms })).id;
}
afterAll(() => listening.close());

async function ask(path: string, headers: Record<string, string> = {}, person = owner): Promise<Response> {
  const signedIn = await listening.service.signedIn(person);
  return fetch(`${listening.base}${path}`, { headers: { ...signedIn, accept: "text/csv", ...headers } });
}
const transactions = (query = "") =>
  `/api/banking/transactions?teamId=${teamId}&from=2020-01-01&to=2020-12-31${query}`;

const ending = (response: Response) =>
  response.text().then(
    () => "whole",
    () => "broken off",
  );

describe("a list as CSV", () => {
  it("is what a link gets at the path with .csv", async () => {
    const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    const path = `/api/banking/transactions.csv?teamId=${teamId}&query=caf%C3%A9+z%C3%BCrich`;
    const linked = await ask(path, { accept: browser });
    expect(linked.headers.get("content-disposition")).toBe('attachment; filename="banking-transactions.csv"');
    expect(await linked.text()).toBe(
      await (await ask(`/api/banking/transactions?teamId=${teamId}&query=caf%C3%A9%20zurich`)).text(),
    );
    const stranger = await listening.service.purser.person();
    expect((await ask(path, { accept: browser }, stranger)).status).toBe(404);
  });

  it("has every item to the last one, as a spreadsheet reads it, with formulas disarmed", async () => {
    const response = await ask(transactions("&limit=3&after=nonsense"));
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present");
    expect(response.headers.get("content-disposition")).toBe(
      'attachment; filename="banking-transactions.csv"',
    );
    const [header, ...rows] = await openSheet(await response.text());
    expect(header!.join()).toBe(
      "id,amount,amountDecimal,currency,description,transactionDate,type,category,status,merchantName,note,accountId,account.id,account.accountName,account.accountNumber,account.connection.id,account.connection.provider",
    );
    const items = [];
    const { banking } = listening.service.purser.as(owner);
    const range = { from: new Date("2020-01-01T00:00:00.000Z"), to: new Date("2020-12-31T23:59:59.999Z") };
    for (;;) {
      const after = items.at(-1)?.id;
      const page = await banking.transactions.list({ teamId, ...range, after });
      items.push(...page);
      if (page.length < 1000) break;
    }
    expect(items).toHaveLength(history);
    const disarmed = (text: string) => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);
    expect(rows).toEqual(
      items.map((one) => [
        one.id,
        String(one.amount),
        (one.amount / 100).toFixed(2),
        "GBP",
        disarmed(one.description),
        one.transactionDate.toISOString(),
        "DEBIT",
        "",
        "POSTED",
        "",
        one.note === null ? "" : "'=cmd",
        one.accountId,
        one.account.id,
        one.account.accountName,
        one.account.accountNumber ?? "",
        one.account.connection.id,
        "sandbox",
      ]),
    );
  });

  const days = "&from=2020-01-01&to=2020-02-10";
  it.each([
    ["all", () => `banking/transactions?teamId=${teamId}${days}`],
    ["pending too", () => `banking/transactions?teamId=${teamId}${days}&status=ALL`],
    ["an account", () => `banking/transactions?teamId=${teamId}${days}&accountId=${accountId}`],
    [
      "a connection",
      () => `banking/transactions?teamId=${teamId}${days}&connectionId=${connectionId}&type=DEBIT`,
    ],
    ["a search", () => `banking/transactions?teamId=${teamId}${days}&query=zurich&minAmount=20`],
    ["an amount", () => `banking/transactions?teamId=${teamId}&minAmount=90&maxAmount=101`],
    ["a category", () => `banking/transactions?teamId=${teamId}&category=TRAVEL`],
    ["cards", () => `cards/transactions?organizationId=${teamId}&status=COMPLETED`],
    ["a card", () => `cards/transactions?organizationId=${teamId}&cardId=${cardIds[0]!}&minAmount=0`],
  ])("has the items of the list, filtered by %s", async (_, list) => {
    for (const person of list().startsWith("cards") ? [owner, member] : [owner]) {
      const asJson = await ask(`/api/${list()}`, { accept: "application/json" }, person);
      if (asJson.status === 404) continue;
      const items = (await asJson.json()) as Record<string, unknown>[];
      const text = await (await ask(`/api/${list()}`, {}, person)).text();
      expect(text.slice(text.indexOf("\r\n") + 2)).toBe(linesOf(items, list()));
      expect(items.length).toBeGreaterThan(list().includes("category") ? -1 : 4);
    }
  });

  /** What a formatter in JavaScript makes of the list. */
  function linesOf(items: Record<string, unknown>[], path: string): string {
    const contract = path.startsWith("cards") ? CardTransaction : BankTransaction;
    const columns = csvColumns(contract);
    return items.map((item) => `${columns.map(({ read }) => csvCell(read(item))).join(",")}\r\n`).join("");
  }

  it.each(["gzip", "br", "zstd"])("is the same compressed with %s", async (encoding) => {
    const plain = await (await ask(transactions(), { "accept-encoding": "identity" })).text();
    const response = await ask(transactions(), { "accept-encoding": encoding });
    expect(response.headers.get("content-encoding")).toBe(encoding);
    expect((await response.text()) === plain).toBe(true);
    expect(plain.startsWith("id,amount")).toBe(true);
  });

  it.each([
    ["text/csv", true],
    ["text/csv, application/json;q=0.5", true],
    ["text/*", true],
    ["application/json, text/csv", false],
    ["*/*", false],
    ["text/csv;q=0, */*", false],
  ])("answers Accept: %s", async (accept, isCsv) => {
    const response = await ask(transactions("&limit=1"), { accept });
    expect(response.headers.get("content-type")?.startsWith("text/csv")).toBe(isCsv);
    expect(response.headers.get("vary")).toContain("Accept");
    await response.body?.cancel();
  });

  it("answers a problem before the first row as JSON, and HEAD without a body", async () => {
    const refused = await ask(`/api/banking/transactions?teamId=${teamId}&query=-`);
    expect([refused.status, refused.headers.get("content-type")]).toEqual([400, "application/problem+json"]);
    const signedIn = await listening.service.signedIn(owner);
    const head = await fetch(`${listening.base}${transactions()}`, {
      method: "HEAD",
      headers: { ...signedIn, accept: "text/csv" },
    });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    const others = await ask(`/api/organizations/${teamId}`);
    expect(others.headers.get("content-type")).toBe("application/json");
  });

  it("has a header alone where nothing matches, for card transactions too", async () => {
    expect((await (await ask(transactions("&query=nothing"))).text()).split("\r\n")).toHaveLength(2);
    const cards = await ask(`/api/cards/transactions?organizationId=${teamId}`, {}, leaver);
    expect(await cards.text()).toMatch(/^id,cardId,amount,amountDecimal,currency,.*settledAt\r\n$/);
  });

  // On a cluster, a page is read from a shard, which the lock of the table does not hold up.
  it.skipIf(distributedDatabaseUrl !== null)(
    "cancels the query that is running when a client leaves, which is no failure of the service",
    async () => {
      const { db } = listening.service.purser;
      const waiting = () => countWaitingForLocks(db);
      const inFlight = async () => {
        const response = await listening.service.app.request(`${listening.base}/metrics`);
        return Number(/^http_requests_in_flight (\d+)$/m.exec(await response.text())?.[1]);
      };
      lines.length = 0;
      const sockets: Socket[] = [];
      await db.transaction(async (transaction) => {
        await stayIdle(transaction);
        // The query of a page waits for the lock.
        await transaction.execute(sql`LOCK TABLE bank_transactions IN ACCESS EXCLUSIVE MODE`);
        const headers = {
          ...(await listening.service.signedIn(owner)),
          accept: "text/csv",
          host: "localhost",
        };
        const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
        // Two pages are read at a time, so the third one waits for its turn.
        for (let count = 0; count < 3; count += 1) {
          const socket = connect(Number(new URL(listening.base).port), "localhost");
          socket.write(`GET ${transactions()} HTTP/1.1\r\n${head.join("")}\r\n`);
          sockets.push(socket);
        }
        await expect.poll(waiting).toBe(2);
        // One is the request for the metrics.
        await expect.poll(inFlight).toBe(4);
        for (const socket of sockets) socket.resetAndDestroy();
        await expect.poll(waiting, { timeout: 10_000, interval: 20 }).toBe(0);
      });
      await expect.poll(inFlight).toBe(1);
      const requests = lines.filter(({ fields }) => "route" in fields && fields.route !== "/metrics");
      expect(requests).toMatchObject(sockets.map(() => ({ level: "info", fields: { status: 400 } })));
      expect(lines.filter(({ level }) => level === "warn" || level === "error")).toEqual([]);
    },
  );

  describe("of many pages", () => {
    const path = () => `/api/banking/transactions?teamId=${teamId}&to=2019-12-31`;
    const endMembership = (person: Person) =>
      listening.service.purser.db.execute(sql`DELETE FROM memberships WHERE user_id = ${person.userId}`);

    // More than the buffers of a connection take, so that the server waits for the reader. In batches, because on a busy
    // machine one statement for all takes longer than a statement may.
    beforeAll(async () => {
      for (let copy = 1; copy <= 7; copy += 1)
        await listening.service.purser.db.execute(sql`
          INSERT INTO bank_transactions (organization_id, id, account_id, connection_id, external_id, status, amount,
            raw_amount, currency, type, description, transaction_date, created_at, updated_at)
          SELECT organization_id, 'btx_' || n || substr(id, 6), account_id, connection_id, 'long' || n || external_id,
            status, amount, raw_amount, currency, type, repeat('long ', 190), '2019-01-01', now(), now()
          FROM bank_transactions, (SELECT ${copy}::int AS n) AS copy
          WHERE organization_id = ${teamId} AND external_id LIKE 'x%'`);
      // More than four pages of the member's card: the second page is read while the first one waits for the reader.
      for (let first = 101; first < 33_000; first += 3290) await insertPurchases(first, first + 3289);
    });

    it.each([
      ["MEMBER", "OWNER"],
      ["OWNER", "MEMBER"],
    ])("breaks off when a caller who is %s becomes %s, who sees other items", async (before, after) => {
      const { app, purser } = listening.service;
      const setRole = (role: string) =>
        purser.db.execute(sql`UPDATE memberships SET role = ${role} WHERE user_id = ${member.userId}`);
      await setRole(before);
      const headers = { ...(await listening.service.signedIn(member)), accept: "text/csv" };
      const cards = `${listening.base}/api/cards/transactions?organizationId=${teamId}`;
      const unread = await app.request(cards, { headers });
      expect(unread.status).toBe(200);
      await setRole(after);
      expect(await ending(unread)).toBe("broken off");
    });

    it("breaks off when the rights end, so that it never looks whole, and ends for a client that left", async () => {
      const headers = { ...(await listening.service.signedIn(member)), accept: "text/csv" };
      const unread = await listening.service.app.request(`${listening.base}${path()}`, { headers });
      const left = await listening.service.app.request(`${listening.base}${path()}`, { headers });
      const reader = left.body!.getReader();
      expect((await reader.read()).done).toBe(false);
      await reader.cancel();
      await endMembership(member);
      expect(await ending(unread)).toBe("broken off");
    });

    it("breaks off when the session ends", async () => {
      const response = await ask(path(), { "accept-encoding": "identity" });
      await listening.service.purser.db.execute(sql`DELETE FROM sessions WHERE user_id = ${owner.userId}`);
      expect(await ending(response)).toBe("broken off");
    });

    it("has a limit of files, and ends its statements when clients are cut off", async () => {
      const { purser } = listening.service;
      const outsider = await purser.person();
      const elsewhere = await purser.organization(outsider);
      const cut = new AbortController();
      const headers = { ...(await listening.service.signedIn(owner)), accept: "text/csv" };
      const open = () => fetch(`${listening.base}${path()}`, { headers, signal: cut.signal });
      const files = await Promise.all(Array.from({ length: maxFilesPerOrganization }, open));
      expect(files.map(({ status }) => status)).toEqual(files.map(() => 200));
      const refused = await ask(path());
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "5"]);
      expect(await refused.json()).toMatchObject({ code: "RATE_LIMITED", retryable: true });
      const page = await ask(path().replace("?", ".csv?"), { accept: "text/html" });
      expect([page.status, await page.text()]).toEqual([429, expect.stringContaining(">Try again</a>")]);
      const other = await ask(`/api/banking/transactions?teamId=${elsewhere}`, {}, outsider);
      expect([other.status, (await other.text()).split("\r\n")]).toEqual([200, [expect.any(String), ""]]);

      cut.abort();
      const nextStatus = async () => {
        const next = await ask(path());
        await next.body?.cancel();
        return next.status;
      };
      await expect.poll(nextStatus).toBe(200);
      const running = () =>
        purser.db.execute(sql`SELECT query FROM pg_stat_activity WHERE datname = current_database()
          AND state <> 'idle' AND query LIKE '%string_agg%' AND pid <> pg_backend_pid()`);
      await expect.poll(running).toEqual([]);
    });

    it("breaks the connection off too", async () => {
      const response = await ask(path(), { "accept-encoding": "identity" }, leaver);
      await endMembership(leaver);
      expect(await ending(response)).toBe("broken off");
    });
  });
});
