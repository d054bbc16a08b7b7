import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testClock } from "@purser/core/testing";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { DevelopmentMailbox } from "./mailbox.ts";

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

let folder: string;
const clock = testClock();
let mailbox: DevelopmentMailbox;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "purser-mailbox-"));
  folders.push(folder);
  mailbox = new DevelopmentMailbox(folder, clock);
});

const mail = (subject: string) => ({ to: "Sam@Example.com", subject, text: "line one\nline two" });

describe("development mailbox", () => {
  it("is empty before the first mail", async () => {
    expect(await mailbox.list()).toEqual([]);
    expect(await mailbox.read("id-1")).toBeNull();
  });

  it("lists mails newest first, and reads one", async () => {
    for (const [id, subject] of Object.entries({ "id-1": "first", "id-2": "second", "id-3": "third" })) {
      clock.advance(1000);
      await mailbox.send(mail(subject), id);
    }
    expect((await mailbox.list()).map(({ subject }) => subject)).toEqual(["third", "second", "first"]);
    expect(await mailbox.read("id-3")).toEqual({
      id: "id-3",
      sentAt: clock.now().toISOString(),
      to: "sam@example.com",
      subject: "third",
      text: "line one\nline two",
    });
  });

  it("stores a mail that is sent twice once", async () => {
    await mailbox.send(mail("same"), "id-1");
    await mailbox.send(mail("same"), "id-1");
    expect(await mailbox.list()).toHaveLength(1);
  });

  it("keeps the newest 500", async () => {
    for (let index = 0; index < 503; index += 1) {
      clock.advance(1);
      await mailbox.send(mail(`mail ${index}`), `id-${index}`);
    }
    const kept = await mailbox.list();
    expect(kept).toHaveLength(500);
    expect([kept[0]?.subject, kept.at(-1)?.subject]).toEqual(["mail 502", "mail 3"]);
  });

  it("accepts concurrent mails and readers, and leaves no temporary file", async () => {
    const sending = Promise.all(
      Array.from({ length: 50 }, (_, index) => mailbox.send(mail("parallel"), `id-${index}`)),
    );
    for (let reading = 0; reading < 20; reading += 1) await mailbox.list();
    await sending;
    expect(await mailbox.list()).toHaveLength(50);
    expect((await readdir(join(folder, "mail"))).filter((name) => !name.endsWith(".json"))).toEqual([]);
  });

  it("reads no file outside its folder, and makes its files unreadable for other users", async () => {
    await mailbox.send(mail("private"), "id-1");
    for (const id of ["../id-1", "..", "/etc/passwd", "id-1.json", ""])
      expect(await mailbox.read(id)).toBeNull();
    expect((await stat(join(folder, "mail", "id-1.json"))).mode & 0o077).toBe(0);
  });

  it("removes line breaks and overrides of direction from a subject, and refuses an invalid address", async () => {
    await mailbox.send(mail("two\r\nlines"), "id-1");
    expect(await mailbox.read("id-1")).toMatchObject({ subject: "two lines" });
    await mailbox.send(mail("Join \u202Eemca in Purser"), "id-1");
    expect(await mailbox.read("id-1")).toMatchObject({ subject: "Join  emca in Purser" });
    await expect(mailbox.send({ ...mail("x"), to: "a@example.com, b@example.com" }, "id-2")).rejects.toThrow(
      "The recipient is not an e-mail address",
    );
  });
});
