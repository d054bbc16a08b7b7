import { randomUUID } from "node:crypto";
import { mkdir, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "@purser/core";
import { addressOf, singleLine } from "./headers.ts";
import type { Mail, MailPort } from "./port.ts";

/** A mail in the development mailbox. */
export interface StoredMail extends Mail {
  id: string;
  /** When it was sent, in RFC 3339. */
  sentAt: string;
}

const maxMails = 500;

/** Stores the newest 500 mails as files in `<dataDir>/mail`, for `/dev/mail` and for tests. */
export class DevelopmentMailbox implements MailPort {
  readonly #folder: string;
  readonly #clock: Clock;

  constructor(dataDir: string, clock: Clock) {
    this.#folder = join(dataDir, "mail");
    this.#clock = clock;
  }

  async send(mail: Mail, id: string): Promise<void> {
    const { text } = mail;
    const sentAt = this.#clock.now().toISOString();
    const stored: StoredMail = {
      id,
      sentAt,
      to: addressOf(mail.to),
      subject: singleLine(mail.subject),
      text,
    };
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    // A rename is atomic: a reader sees the whole file or none.
    const unfinished = join(this.#folder, `${randomUUID()}.tmp`);
    await writeFile(unfinished, JSON.stringify(stored), { mode: 0o600 });
    await rename(unfinished, this.#path(id));
    await this.#prune();
  }

  /** Lists every stored mail, newest first. */
  async list(): Promise<StoredMail[]> {
    const mails = await Promise.all((await this.#ids()).map((id) => this.read(id)));
    return mails.filter((mail) => mail !== null).toSorted(newestFirst);
  }

  /** Returns one mail, or null if there is none with this id. */
  async read(id: string): Promise<StoredMail | null> {
    if (!/^[\w-]{1,64}$/.test(id)) return null;
    const text = await readFile(this.#path(id), "utf8").catch(missing);
    return text === null ? null : (JSON.parse(text) as StoredMail);
  }

  async #prune(): Promise<void> {
    if ((await this.#ids()).length <= maxMails) return;
    const surplus = (await this.list()).slice(maxMails);
    await Promise.all(surplus.map(({ id }) => rm(this.#path(id), { force: true })));
  }

  async #ids(): Promise<string[]> {
    const names = (await readdir(this.#folder).catch(missing)) ?? [];
    return names.filter((name) => name.endsWith(".json")).map((name) => name.slice(0, -".json".length));
  }

  #path(id: string): string {
    return join(this.#folder, `${id}.json`);
  }
}

function newestFirst(one: StoredMail, other: StoredMail): number {
  return other.sentAt.localeCompare(one.sentAt) || other.id.localeCompare(one.id);
}

function missing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
