import type { AddressInfo } from "node:net";
import { type TestPurser, createTestPurser } from "@purser/testing";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { PermanentFailure } from "../jobs/definition.ts";
import { drainJobs } from "../jobs/drain.ts";
import { platformHandlers } from "../jobs/handlers.ts";
import { platformJobs } from "../jobs/platform-jobs.ts";
import { listOutbox } from "../outbox/inspect.ts";
import type { Mail } from "./port.ts";
import { SmtpMail } from "./smtp.ts";

interface Received {
  from: string;
  to: string[];
  raw: string;
}

let servers: SMTPServer[] = [];
afterEach(async () => {
  await Promise.all(servers.map((server) => new Promise<void>((resolve) => server.close(resolve))));
  servers = [];
});

/** A real SMTP server on this machine. Returns its address and the received mails. */
async function startServer(options: SMTPServerOptions = {}): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom === false ? "" : mailFrom.address;
        received.push({
          from,
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString(),
        });
        done();
      });
    },
    ...options,
  });
  servers.push(server);
  server.on("error", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`, received };
}

const from = "Purser <no-reply@purser.example>";
const mail: Mail = {
  to: "sam@example.com",
  subject: "Willkommen, Zoë",
  text: "Open this link:\nhttps://purser.example/a?b=c\n",
};

/** A refusal with an SMTP reply code, as the server sends it. */
const refusal = (responseCode: number, message: string) =>
  Object.assign(new Error(message), { responseCode });

describe("mail over SMTP", () => {
  it("arrives with sender, recipient, subject, text, and a Message-ID made of its id", async () => {
    const { url, received } = await startServer();
    await new SmtpMail(url, from).send(mail, "0198c0de-0000-4000-8000-000000000001");
    expect(received).toMatchObject([{ from: "no-reply@purser.example", to: ["sam@example.com"] }]);
    const { raw } = received[0]!;
    expect(raw).toMatch(/^From: Purser <no-reply@purser\.example>\r$/m);
    expect(raw).toMatch(/^To: sam@example\.com\r$/m);
    expect(raw).toMatch(/^Subject: =\?UTF-8\?Q\?Willkommen=2C_Zo=C3=AB\?=\r$/m);
    expect(raw).toMatch(/^Message-ID: <0198c0de-0000-4000-8000-000000000001@purser\.example>\r$/m);
    expect(raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    expect(raw).toContain("\r\nhttps://purser.example/a?b=c\r\n");
  });

  it("authenticates if the address has a user, and fails temporarily if the password is wrong", async () => {
    const { url, received } = await startServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) =>
        username === "purser" && password === "right"
          ? done(null, { user: username })
          : done(refusal(535, "No")),
    });
    await new SmtpMail(url.replace("//", "//purser:right@"), from).send(mail, "1");
    expect(received).toHaveLength(1);
    const failure = await new SmtpMail(url.replace("//", "//purser:wrong@"), from)
      .send(mail, "2")
      .catch((e) => e);
    expect(failure.message).toMatch(/^SMTP: .*\b535 /);
    expect(failure).not.toBeInstanceOf(PermanentFailure);
    expect(failure.message).not.toContain("wrong");
  });

  it.each([
    [550, true],
    [552, true],
    [421, false],
    [451, false],
  ])("treats the reply %i to the recipient as final: %s", async (code, final) => {
    const { url } = await startServer({
      onRcptTo: (_address, _session, done) => done(refusal(code, "sam@example.com is not served here")),
    });
    const failure = await new SmtpMail(url, from).send(mail, "1").catch((error: unknown) => error);
    expect(failure instanceof PermanentFailure).toBe(final);
    expect((failure as Error).message).toMatch(/^SMTP: .*is not served here/);
    expect((failure as Error).message).not.toContain("sam@");
  });

  it.each([
    ["the sender", { onMailFrom: (_address, _session, done) => done(refusal(550, "Not your domain")) }],
    // Many servers check the sender, or a quota, only once they know the recipient and are about to take the message.
    ["all mail", { disabledCommands: ["STARTTLS", "DATA"] }],
  ] satisfies [string, SMTPServerOptions][])(
    "tries again if the server refuses %s, which an operator can settle",
    async (_case, options) => {
      const { url } = await startServer(options);
      const failure = await new SmtpMail(url, from).send(mail, "1").catch((error: unknown) => error);
      expect((failure as Error).message).toMatch(/^SMTP: .*\b5\d\d /);
      expect(failure).not.toBeInstanceOf(PermanentFailure);
    },
  );

  it("treats a refused message as final", async () => {
    const { url } = await startServer({
      onData: (stream, _session, done) => stream.resume().on("end", () => done(refusal(554, "This is spam"))),
    });
    await expect(new SmtpMail(url, from).send(mail, "1")).rejects.toBeInstanceOf(PermanentFailure);
  });

  it("fails temporarily if no server listens", async () => {
    const failure = await new SmtpMail("smtp://127.0.0.1:1", from)
      .send(mail, "1")
      .catch((error: unknown) => error);
    expect((failure as Error).message).toMatch(/^SMTP: .*ECONNREFUSED/);
    expect(failure).not.toBeInstanceOf(PermanentFailure);
  });

  it("does not let names or texts add a header or a recipient", async () => {
    const { url, received } = await startServer();
    const port = new SmtpMail(url, from);
    const breaks = ["\r\n", "\n", "\r", "\u2028", "\u0085", "\0"];
    for (const lineBreak of breaks) {
      await port.send({ ...mail, subject: `Join Acme${lineBreak}Bcc: eve@example.com` }, "1");
      const to = `sam@example.com${lineBreak}Bcc: eve@example.com`;
      await expect(port.send({ ...mail, to }, "2")).rejects.toBeInstanceOf(PermanentFailure);
    }
    for (const to of [
      "sam@example.com, eve@example.com",
      "Eve <eve@example.com>",
      "sam@example.com;eve@example.com",
      "",
    ]) {
      await expect(port.send({ ...mail, to }, "3")).rejects.toBeInstanceOf(PermanentFailure);
    }
    expect(received).toHaveLength(breaks.length);
    for (const { to, raw } of received) {
      expect(to).toEqual(["sam@example.com"]);
      const headers = raw.slice(0, raw.indexOf("\r\n\r\n"));
      expect(headers).not.toMatch(/^Bcc:/im);
      expect(headers).toMatch(/^Subject: Join Acme Bcc: eve@example\.com\r?$/m);
    }
  });
});

describe("mail.send", () => {
  let purser: TestPurser;
  beforeAll(async () => {
    purser = await createTestPurser();
  });
  afterAll(() => purser.close());

  const handlers = (url: string) =>
    platformHandlers(purser.platform, {
      mail: new SmtpMail(url, from),
      receivers: [],
      tasks: [],
    });
  const enqueue = () =>
    purser.db.transaction((transaction) =>
      purser.platform.outbox.enqueue(transaction, platformJobs.sendMail, mail),
    );

  it("delivers once the mail server recovers", async () => {
    let well = false;
    const { url, received } = await startServer({
      onMailFrom: (_address, _session, done) => (well ? done() : done(refusal(451, "Come back later"))),
    });
    await enqueue();
    expect(await drainJobs(purser.platform, handlers(url))).toBe(1);
    const [waiting] = await listOutbox(purser.db, { limit: 1 });
    expect(waiting).toMatchObject({ state: "retrying", attempts: 1 });
    expect(waiting!.lastError).toMatch(/^SMTP: .*Come back later/);
    well = true;
    expect(await drainJobs(purser.platform, handlers(url), { ahead: true })).toBe(1);
    expect(received).toHaveLength(1);
    expect(await listOutbox(purser.db, { limit: 1 })).toMatchObject([
      { id: waiting!.id, state: "done", attempts: 2 },
    ]);
  });

  it("has the same Message-ID if it is delivered twice", async () => {
    let answers = 0;
    const received: string[] = [];
    const { url } = await startServer({
      // The server has accepted the mail, but its response is lost.
      onData(stream, _session, done) {
        const chunks: Buffer[] = [];
        stream.on("data", (chunk: Buffer) => chunks.push(chunk));
        stream.on("end", () => {
          received.push(Buffer.concat(chunks).toString());
          answers += 1;
          done(answers === 1 ? refusal(451, "Lost") : null);
        });
      },
    });
    await enqueue();
    await drainJobs(purser.platform, handlers(url), { ahead: true });
    const ids = received.map((raw) => /^Message-ID: (.*)\r$/m.exec(raw)?.[1]);
    expect(ids).toHaveLength(2);
    expect(ids[0]).toMatch(/^<[0-9a-f-]{36}@purser\.example>$/);
    expect(ids[1]).toBe(ids[0]);
  });

  it("is dead at once, with the server's reply, if the recipient is refused permanently", async () => {
    const { url } = await startServer({
      onRcptTo: (_address, _session, done) => done(refusal(550, "No such user")),
    });
    await enqueue();
    expect(await drainJobs(purser.platform, handlers(url), { ahead: true })).toBe(1);
    const [dead] = await listOutbox(purser.db, { limit: 1 });
    expect(dead).toMatchObject({ state: "dead", attempts: 1 });
    expect(dead!.lastError).toMatch(/^SMTP: .*550 No such user/);
  });
});
