import { createHmac, timingSafeEqual } from "node:crypto";
import { Readable } from "node:stream";
import { unseal } from "@purser/platform";
import { readSettings } from "@purser/service/settings";
import { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import postgres, { type PendingQuery, type Row } from "postgres";
import { serveUntilStopped } from "../serve-fetch.ts";

/**
 * The baseline for the list of transactions: a hand-written route for only this read, with the same responses. It
 * checks session and membership, and seals account numbers, as the service does. The file of all transactions is what
 * PostgreSQL's COPY writes: it disarms no formula, and has no account number, which only the service can decrypt.
 */
const { authSecret, encryptionKeys } = readSettings(process.env);
const sql = postgres(process.env["DATABASE_URL"]!, { max: 10, types: { money: numbers() } });

const app = new Hono();

app.get("/transactions.csv", async (c) => {
  const teamId = c.req.query("teamId") ?? "";
  await requireMember(teamId, c.req.header("authorization"));
  const connection = postgres(process.env["DATABASE_URL"]!, { max: 1 });
  const rows = await connection.unsafe(copyOf(teamId)).readable();
  rows.on("close", () => void connection.end());
  return c.body(Readable.toWeb(rows), 200, { "content-type": "text/csv" });
});

/** COPY takes no parameters. */
const copyOf = (teamId: string) => `
  COPY (SELECT t.id, t.amount, (t.amount / 100.0)::numeric(20, 2) AS "amountDecimal", t.currency, t.description,
      t.transaction_date AS "transactionDate", t.type, coalesce(t.own_category, t.category) AS category, t.status,
      t.merchant_name AS "merchantName", t.note, t.account_id AS "accountId", a.id AS "account.id",
      a.name AS "account.accountName", c.id AS "account.connection.id", c.provider AS "account.connection.provider"
    FROM bank_transactions t
    JOIN bank_accounts a ON a.organization_id = t.organization_id AND a.id = t.account_id
    JOIN bank_connections c ON c.organization_id = a.organization_id AND c.id = a.connection_id
    WHERE t.organization_id = '${teamId.replaceAll("'", "''")}' AND t.status = 'POSTED'
    ORDER BY t.transaction_date DESC, t.id DESC) TO STDOUT WITH (FORMAT csv, HEADER)`;

app.get("/transactions", async (c) => {
  const filter = c.req.query();
  const teamId = filter["teamId"] ?? "";
  await requireMember(teamId, c.req.header("authorization"));
  const limit = Number(filter["limit"] ?? 1000);
  const rows = await transactionsOf(teamId, filter, limit + 1);
  const shown = rows.slice(0, limit);
  const accounts = await accountsOf(teamId, [...new Set(shown.map((row) => row["accountId"] as string))]);
  if (rows.length > limit) c.header("Link", `<${c.req.path}?after=${shown.at(-1)!["id"]}>; rel="next"`);
  return c.json(shown.map((row) => ({ ...row, account: accounts.get(row["accountId"]) })));
});

async function requireMember(teamId: string, authorization: string | undefined): Promise<void> {
  const [session] = await sql`
    SELECT u.id FROM sessions s JOIN users u ON u.id = s.user_id
    WHERE s.token = ${verified(authorization)} AND s.expires_at > now() AND NOT u.banned`;
  if (session === undefined) throw new HTTPException(401);
  const [membership] = await sql`
    SELECT id FROM memberships WHERE organization_id = ${teamId} AND user_id = ${session["id"]}`;
  if (membership === undefined) throw new HTTPException(404);
}

function transactionsOf(teamId: string, filter: Record<string, string>, rows: number): PendingQuery<Row[]> {
  const { accountId, connectionId, from, to, type, category, after } = filter;
  const page = (ofAccount: PendingQuery<Row[]>) => sql`
    SELECT id, account_id AS "accountId", amount, currency, description, transaction_date AS "transactionDate", type,
      coalesce(own_category, category) AS category, status, merchant_name AS "merchantName", note
    FROM bank_transactions
    WHERE organization_id = ${teamId} AND status = 'POSTED' ${ofAccount}
      ${from === undefined ? sql`` : sql`AND transaction_date >= ${from}`}
      ${to === undefined ? sql`` : sql`AND transaction_date <= ${to}`}
      ${type === undefined ? sql`` : sql`AND type = ${type}`}
      ${category === undefined ? sql`` : sql`AND coalesce(own_category, category) = ${category}`}
      ${
        after === undefined
          ? sql``
          : sql`AND (transaction_date, id) <
        (SELECT transaction_date, id FROM bank_transactions WHERE organization_id = ${teamId} AND id = ${after})`
      }
    ORDER BY transaction_date DESC, id DESC LIMIT ${rows}`;
  if (connectionId === undefined)
    return page(accountId === undefined ? sql`` : sql`AND account_id = ${accountId}`);
  return sql`
    SELECT listed.* FROM bank_accounts account, LATERAL (${page(sql`AND account_id = account.id`)}) AS listed
    WHERE account.organization_id = ${teamId} AND account.connection_id = ${connectionId}
    ORDER BY listed."transactionDate" DESC, listed.id DESC LIMIT ${rows}`;
}

async function accountsOf(teamId: string, ids: string[]) {
  const accounts = await sql`
    SELECT a.id, a.name AS "accountName", a.account_number AS sealed, c.id AS "connectionId", c.provider
    FROM bank_accounts a JOIN bank_connections c ON c.organization_id = a.organization_id AND c.id = a.connection_id
    WHERE a.organization_id = ${teamId} AND a.id = ANY(${ids})`;
  return new Map(
    accounts.map(({ id, accountName, sealed, connectionId, provider }) => {
      const accountNumber = unseal(encryptionKeys, sealed, ["bank_accounts", "account_number", teamId, id]);
      return [id, { id, accountName, accountNumber, connection: { id: connectionId, provider } }];
    }),
  );
}

/** Converts amounts to numbers, because the driver returns 64-bit integers as text. */
function numbers() {
  return { to: 20, from: [20], serialize: String, parse: Number };
}

function verified(authorization = ""): string {
  const [token = "", signature = ""] = decodeURIComponent(authorization.slice("Bearer ".length)).split(".");
  const given = Buffer.from(signature, "base64");
  const expected = createHmac("sha256", authSecret).update(token).digest();
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw new HTTPException(401);
  return token;
}

serveUntilStopped(app.fetch, () => sql.end({ timeout: 1 }));
