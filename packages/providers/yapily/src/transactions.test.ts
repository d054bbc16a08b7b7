import type { Access, BankProvider, TransactionData, WindowFeed } from "@purser/banking/ports";
import { testClock } from "@purser/core/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Schemas } from "./api.ts";
import { exampleAccount, exampleInstitution, exampleTransaction } from "./fake/data.ts";
import { type YapilyFake, credentials, startYapilyFake } from "./fake/index.ts";
import { refuse, success } from "./fake/responses.ts";
import { yapilyBank } from "./bank.ts";

let fake: YapilyFake;
let bank: BankProvider;
let access: Access;

beforeAll(async () => {
  fake = await startYapilyFake();
  bank = yapilyAt("2026-03-02T09:00:00Z");
});
afterAll(() => fake.close());
beforeEach(() => {
  fake.requests = [];
  fake.intercept = () => undefined;
  fake.transactions.clear();
  const { id, consentToken } = fake.addConsent();
  fake.accounts.set(consentToken, [exampleAccount({ id: "acc/1" }), exampleAccount({ id: "other" })]);
  access = { organizationId: "org_own", institutionId: "modelo-sandbox", consentId: id, token: consentToken };
});

type Row = Schemas["Transaction"];

const yapilyAt = (now: string) => yapilyBank({ ...credentials, baseUrl: fake.url, clock: testClock(now) });

async function readPages(
  from = "2026-01-01",
  signal = new AbortController().signal,
  { feed } = bank,
): Promise<TransactionData[][]> {
  const pages = [];
  for await (const page of (feed as WindowFeed).transactions(access, "acc/1", from, signal)) {
    pages.push(page);
  }
  return pages;
}

const readAll = async (from?: string) => (await readPages(from)).flat();
const readIds = async () => (await readAll()).map(({ externalId }) => externalId);

/** Reads the account at a bank of these countries. */
async function readAbroad(countries: string, from?: string): Promise<TransactionData[]> {
  const id = `bank-${countries}`;
  const listed = countries.split(" ").map((countryCode2) => ({ countryCode2 }));
  fake.institutions.push(exampleInstitution({ id, countries: listed }));
  access = { ...access, institutionId: id };
  return (await readPages(from, undefined, yapilyAt("2026-06-16T09:00:00Z"))).flat();
}

/** Reads the example transaction with other fields. */
async function read(over: Partial<Row>): Promise<TransactionData> {
  fake.intercept = ({ path }) =>
    path.endsWith("/transactions") ? success([exampleTransaction(over)]) : undefined;
  const [data] = await readAll();
  return data!;
}

describe("yapilyBank.feed.transactions", () => {
  it("is a window of up to two years, read at most four times a day", () => {
    expect(bank).toMatchObject({ name: "yapily", unattendedReadsPerDay: 4 });
    expect(bank.feed).toMatchObject({ kind: "window", historyDays: 722 });
    expect(bank.webhooks).toBeUndefined();
  });

  it("returns every field of the port, with the amount in minor units and the direction beside it", async () => {
    expect(await read({})).toEqual({
      accountId: "acc/1",
      externalId: "49d6e5c6-0130-46e3-884b-1b185432d9e0",
      pendingExternalId: null,
      status: "POSTED",
      amount: 10023,
      rawAmount: "-100.23",
      currency: "GBP",
      type: "DEBIT",
      description: "Corner shop",
      merchantName: null,
      date: "2026-02-06",
      category: null,
    });
  });

  it.each<[string, Partial<Row>, Partial<TransactionData>]>([
    ["PENDING", { status: "PENDING" }, { status: "PENDING" }],
    ["BOOKED", { status: "BOOKED" }, { status: "POSTED" }],
    ["no status", { status: undefined as never }, { status: "POSTED" }],
    [
      "money in",
      { transactionAmount: { amount: 5, currency: "EUR" } },
      { type: "CREDIT", amount: 500, currency: "EUR" },
    ],
    [
      "an amount of zero",
      { transactionAmount: { amount: 0, currency: "GBP" } },
      { type: "DEBIT", amount: 0 },
    ],
    [
      "only plain fields",
      { transactionAmount: null as never, amount: -1, currency: "USD" },
      { type: "DEBIT", amount: 100, currency: "USD" },
    ],
    [
      "half a penny",
      { transactionAmount: { amount: -0.125, currency: "GBP" } },
      { amount: 12, rawAmount: "-0.125" },
    ],
    ["yen", { transactionAmount: { amount: -1250, currency: "JPY" } }, { amount: 1250, rawAmount: "-1250" }],
    [
      "a tiny amount",
      { transactionAmount: { amount: 1e-7, currency: "GBP" } },
      { amount: 0, rawAmount: "1e-7" },
    ],
    ["a blank id", { id: " " }, { externalId: "adad72d7b3069ab9e4a6cb2844e2e3e9.1" }],
    ["no id", { id: null as never }, { externalId: "adad72d7b3069ab9e4a6cb2844e2e3e9.1" }],
    ["neither id nor hash", { id: "", enrichment: {} }, { externalId: null }],
    ["no enrichment", { enrichment: null as never }, { category: null }],
    [
      "categories",
      { enrichment: { categorisation: { categories: ["Groceries", "Food"] } } },
      { category: "Groceries" },
    ],
    ["no categories", { enrichment: { categorisation: { categories: null as never } } }, { category: null }],
    [
      "only information",
      { description: " ", transactionInformation: ["Line 1", "Line 2"] },
      { description: "Line 1 Line 2" },
    ],
    [
      "only a reference",
      { description: "", transactionInformation: [], reference: "INV-7" },
      { description: "INV-7" },
    ],
    [
      "only a merchant",
      {
        description: "",
        transactionInformation: null as never,
        reference: "",
        merchant: { merchantName: "Baker" },
      },
      { description: "Baker", merchantName: "Baker" },
    ],
    [
      "a merchant",
      { description: "CARD 1234", merchant: { merchantName: " Baker " } },
      { description: "CARD 1234", merchantName: "Baker" },
    ],
    ["no text", { description: "", transactionInformation: [], reference: "" }, { description: "" }],
    ["a booking late in the day", { bookingDateTime: "2026-02-06T23:59:59.999Z" }, { date: "2026-02-06" }],
    [
      "a booking after midnight elsewhere",
      { bookingDateTime: "2026-02-07T00:30:00+02:00" },
      { date: "2026-02-07" },
    ],
    [
      "a booking before midnight elsewhere",
      { bookingDateTime: "2026-02-06T23:30:00-05:00" },
      { date: "2026-02-06" },
    ],
    [
      "no booking yet",
      { bookingDateTime: null as never, date: "2026-02-05T00:00:00Z" },
      { date: "2026-02-05" },
    ],
    ["a plain date", { bookingDateTime: "2026-02-04" }, { date: "2026-02-04" }],
    ["a value date alone", { bookingDateTime: "", date: "" }, { date: "2026-02-07" }],
  ])("maps a transaction with %s", async (_case, over, expected) => {
    expect(await read(over)).toMatchObject(expected);
  });

  it.each<[string, Partial<Row>]>([
    ["no amount", { transactionAmount: {} as never }],
    ["an amount as text", { transactionAmount: { amount: "1.00" as never, currency: "GBP" } }],
    ["an amount out of range", { transactionAmount: { amount: 1e30, currency: "GBP" } }],
    ["no currency", { transactionAmount: { amount: 1, currency: "" } }],
    ["an unknown currency", { transactionAmount: { amount: 1, currency: "GBX" } }],
    ["no date", { bookingDateTime: "", date: "", valueDateTime: "" }],
    ["a date of another form", { bookingDateTime: "06/02/2026" }],
    ["a day that does not exist", { bookingDateTime: "2026-02-30T10:00:00Z" }],
    ["a month that does not exist", { bookingDateTime: "2026-13-01" }],
  ])("throws for a transaction with %s, which is not omitted", async (_case, over) => {
    await expect(read(over)).rejects.toMatchObject({ name: "BankError", kind: "outage" });
  });

  it.each([
    ["DE", "2026-06-01T22:00:00Z", "2026-06-02"],
    ["DE", "2026-06-01T21:59:59.999Z", "2026-06-01"],
    ["DE", "2026-12-01T23:00:00.000+00:00", "2026-12-02"],
    ["GB", "2026-06-01T23:00:00Z", "2026-06-02"],
    ["GB", "2026-06-01T00:00:00Z", "2026-06-01"],
    ["FI", "2026-06-02T00:00:00+03:00", "2026-06-02"],
    ["ZZ", "2026-06-01T23:59:59Z", "2026-06-01"],
  ])("books a time of a bank in %s, %s, on %s", async (countryCode2, bookingDateTime, day) => {
    fake.transactions.set("acc/1", [exampleTransaction({ bookingDateTime })]);
    expect((await readAbroad(countryCode2)).map(({ date }) => date)).toEqual([day]);
  });

  it.each([
    ["of the connection, if the bank is in several", "DE FI", "FI", "2026-06-02"],
    ["that the bank names first, if the connection's is not among them", "DE AT", "FI", "2026-06-01"],
    ["of the bank, whatever the connection's", "GB", "FI", "2026-06-01"],
  ])("books a time on the day of the country %s", async (_case, countries, country, day) => {
    fake.transactions.set("acc/1", [exampleTransaction({ bookingDateTime: "2026-06-01T21:30:00Z" })]);
    access = { ...access, country };
    expect((await readAbroad(countries)).map(({ date }) => date)).toEqual([day]);
  });

  it("books a time of a bank that is no longer listed on the day of the connection's country", async () => {
    access = { ...access, institutionId: "no longer listed", country: "DE" };
    expect(await read({ bookingDateTime: "2026-02-06T23:30:00Z" })).toMatchObject({ date: "2026-02-07" });
  });

  it.each([
    ["that begins before it does in UTC", "2026-06-01T22:00:00Z", "2026-06-01T22:00:00Z"],
    ["for a purchase of the week before", "2026-05-27T10:00:00Z", "2026-06-02T10:00:00Z"],
  ])("returns what the bank booked on the first day %s", async (_case, date, bookingDateTime) => {
    const early = { id: "early", date: "2026-06-01T21:59:59Z", bookingDateTime: "2026-06-01T21:59:59Z" };
    fake.transactions.set("acc/1", [
      exampleTransaction(early),
      exampleTransaction({ date, bookingDateTime }),
    ]);
    const days = (await readAbroad("DE", "2026-06-02")).map((one) => one.date);
    expect(days).toEqual(["2026-06-02"]);
  });

  it("requests the transactions of one account from the week before on, oldest first, with the maximum page size", async () => {
    fake.transactions.set("acc/1", [
      exampleTransaction({
        id: "early",
        date: "2025-12-31T23:59:59Z",
        bookingDateTime: "2025-12-31T23:59:59Z",
      }),
      exampleTransaction(),
    ]);
    fake.transactions.set("other", [exampleTransaction({ id: "of another account" })]);
    expect(await readIds()).toEqual(["49d6e5c6-0130-46e3-884b-1b185432d9e0"]);
    const [{ path, headers, query }] = fake.requests.filter(
      (request) => request.path !== "/institutions",
    ) as [(typeof fake.requests)[number]];
    expect({ path, consent: headers["consent"], ...Object.fromEntries(query) }).toEqual({
      path: "/accounts/acc%2F1/transactions",
      consent: access.token,
      from: "2025-12-24T00:00:00.000Z",
      limit: "1000",
      offset: "0",
      sort: "date",
    });
  });

  it("passes on the address of a person who is present, and none otherwise", async () => {
    const addresses = () => fake.requests.map(({ headers }) => headers["psu-ip-address"]);
    await bank.accounts({ ...access, personAddress: "192.0.2.7" });
    access = { ...access, personAddress: "192.0.2.7" };
    await readAll();
    expect(addresses()).toEqual(["192.0.2.7", "192.0.2.7"]);
    access = { ...access, personAddress: undefined };
    await readAll();
    expect(addresses().at(-1)).toBeUndefined();
  });

  it("returns nothing for an account without transactions", async () => {
    expect(await readPages()).toEqual([]);
  });
});

describe("yapilyBank.feed.transactions that fails", () => {
  it("throws reauthorization_required if the bank has ended the consent", async () => {
    fake.consents.get(access.consentId)!.isRevokedAtBank = true;
    await expect(readAll()).rejects.toMatchObject({ kind: "reauthorization_required" });
  });

  it("throws history_unavailable for days that the bank no longer lists, while the consent is in force", async () => {
    const consent = fake.consents.get(access.consentId)!;
    // 90 days ago.
    consent.historyFrom = "2025-12-02T09:00:00.000Z";
    await expect(readAll("2025-12-02")).rejects.toMatchObject({ kind: "history_unavailable" });
    expect(await readAll("2025-12-03")).toEqual([]);
    consent.isRevokedAtBank = true;
    await expect(readAll("2025-12-01")).rejects.toMatchObject({ kind: "reauthorization_required" });
  });

  it("throws history_unavailable although another account cannot be read", async () => {
    fake.consents.get(access.consentId)!.historyFrom = "2025-12-02";
    const odd = exampleAccount({ id: "odd", currency: "GBX", accountBalances: [] });
    fake.accounts.get(access.token!)!.push(odd);
    await expect(readAll("2025-12-01")).rejects.toMatchObject({ kind: "history_unavailable" });
  });

  it("throws account_refused if the bank refuses recent days of an account, while the consent is in force", async () => {
    const consent = fake.consents.get(access.consentId)!;
    consent.historyFrom = "2026-03-01";
    await expect(readAll("2026-01-01")).rejects.toMatchObject({ kind: "account_refused" });
    consent.isRevokedAtBank = true;
    await expect(readAll("2026-01-01")).rejects.toMatchObject({ kind: "reauthorization_required" });
  });

  it.each([400, 403, 422])(
    "throws history_unavailable for days that the bank refuses with %i",
    async (status) => {
      const refusal = refuse("failedDependency", { institutionError: { httpStatusCode: status } });
      fake.intercept = ({ path }) => (path.endsWith("/transactions") ? refusal : undefined);
      await expect(readAll("2025-12-01")).rejects.toMatchObject({ kind: "history_unavailable" });
      const kind = status === 403 ? "account_refused" : "outage";
      await expect(readAll("2026-01-01")).rejects.toMatchObject({ kind });
      fake.consents.get(access.consentId)!.isRevokedAtBank = true;
      await expect(readAll("2025-12-01")).rejects.toMatchObject({ kind: "reauthorization_required" });
    },
  );

  it("throws outage for an account that has left the bank's list, and does not say that it is empty", async () => {
    fake.accounts.set(access.token!, [exampleAccount({ id: "other" })]);
    await expect(readAll()).rejects.toMatchObject({ kind: "outage" });
    expect(fake.requests.map(({ path }) => path)).toEqual(["/accounts/acc%2F1/transactions", "/accounts"]);
  });

  it.each([
    ["403", refuse("insufficientRights")],
    ["404", refuse("notFound")],
  ])("throws account_refused for a %s of an account that the bank lists", async (_status, response) => {
    fake.intercept = ({ path }) => (path.endsWith("/transactions") ? response : undefined);
    await expect(readAll("2026-01-01")).rejects.toMatchObject({ name: "BankError", kind: "account_refused" });
    fake.consents.get(access.consentId)!.isRevokedAtBank = true;
    await expect(readAll()).rejects.toMatchObject({ kind: "reauthorization_required" });
  });

  it("throws if the bank's list cannot be read", async () => {
    fake.intercept = ({ path }) =>
      path.endsWith("/transactions") ? refuse("notFound") : refuse("unavailable");
    await expect(readAll()).rejects.toMatchObject({ kind: "outage" });
  });

  it.each([[{}], [{ data: null }], [""]])("throws for the response %j", async (body) => {
    fake.intercept = () => ({ status: 200, body });
    await expect(readAll()).rejects.toMatchObject({ kind: "outage" });
  });

  it("throws the caller's reason after an abort", async () => {
    const controller = new AbortController();
    fake.intercept = () => {
      controller.abort(new Error("the run was stopped"));
      return "hang";
    };
    await expect(readPages(undefined, controller.signal)).rejects.toThrow("the run was stopped");
  });
});
