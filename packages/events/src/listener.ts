import { type DatabaseSettings, Notifications } from "@purser/db";
import { eventChannel } from "@purser/platform/events";

/** Tells which organizations have new events. It may miss some, so every subscriber also looks every few seconds. */
export interface EventListener {
  /**
   * Calls the first function with the id of each organization that is announced, and the second one when announcements
   * may have been missed. Returns a function that ends that.
   */
  subscribe(announced: (organizationId: string) => void, missed?: () => void): () => void;
  close(): Promise<void>;
}

interface Subscriber {
  announced: (organizationId: string) => void;
  missed: (() => void) | undefined;
}

/** By then nothing is left to say. */
const closeTimeoutMs = 1000;

/** Listens on one connection per process, from the first subscription on. */
export class PostgresEventListener implements EventListener {
  readonly #settings: DatabaseSettings;
  readonly #lostBefore: (() => number) | undefined;
  readonly #subscribers = new Set<Subscriber>();
  #notifications: Notifications | undefined;

  /** `lostBefore` is that of the database's monitor. */
  constructor(settings: DatabaseSettings, lostBefore?: () => number) {
    this.#settings = settings;
    this.#lostBefore = lostBefore;
  }

  subscribe(announced: (organizationId: string) => void, missed?: () => void): () => void {
    const subscriber = { announced, missed };
    this.#subscribers.add(subscriber);
    this.#notifications ??= new Notifications(this.#settings, {
      channel: eventChannel,
      lostBefore: this.#lostBefore,
      onNotification: (organizationId) => {
        for (const each of this.#subscribers) each.announced(organizationId);
      },
      onListening: () => {
        for (const each of this.#subscribers) each.missed?.();
      },
    });
    return () => void this.#subscribers.delete(subscriber);
  }

  async close(): Promise<void> {
    this.#subscribers.clear();
    await this.#notifications?.close(closeTimeoutMs);
  }
}
