/**
 * Notifies subscribers of organizations with new events. It may miss some, so every subscriber also polls every few seconds.
 */
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

/** Opens the connection that listens, as `Notifications` of `@purser/db` does. */
type Listen = (callbacks: { onNotification: (organizationId: string) => void; onListening: () => void }) => {
  close(timeoutMs: number): Promise<void>;
};

/** By then nothing is left to say. */
const closeTimeoutMs = 1000;

/** Listens on one connection per process, from the first subscription on. */
export class PostgresEventListener implements EventListener {
  readonly #listen: Listen;
  readonly #subscribers = new Set<Subscriber>();
  #notifications: ReturnType<Listen> | undefined;

  constructor(listen: Listen) {
    this.#listen = listen;
  }

  subscribe(announced: (organizationId: string) => void, missed?: () => void): () => void {
    const subscriber = { announced, missed };
    this.#subscribers.add(subscriber);
    this.#notifications ??= this.#listen({
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
