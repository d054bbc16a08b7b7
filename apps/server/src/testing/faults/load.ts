import { setTimeout as sleep } from "node:timers/promises";
import { chanceOf } from "@purser/core";
import { banking } from "./load/banking.ts";
import { buying } from "./load/buying.ts";
import { founding } from "./load/founding.ts";
import { issuing } from "./load/issuing.ts";
import { prying } from "./load/prying.ts";
import { racing } from "./load/racing.ts";
import { reading } from "./load/reading.ts";
import { staffing } from "./load/staffing.ts";
import { subscribing } from "./load/subscribing.ts";
import type { Act, Role, World } from "./world.ts";

/** Who acts for each tenant at the same time. */
const cast: Record<string, Role> = {
  buying,
  racing,
  banking,
  subscribing,
  issuing,
  staffing,
  founding,
  reading,
  prying,
};

/** Everybody who acts for some tenant. What each of them does, one thing after the other, follows from the seed. */
export class Load {
  readonly #world: World;
  readonly #pauseMs: number;
  readonly #acts: Act[];
  #isOver = true;
  #running: Promise<unknown> = Promise.resolve();

  constructor(world: World, pauseMs: number) {
    this.#world = world;
    this.#pauseMs = pauseMs;
    this.#acts = world.ledger.tenants.flatMap((tenant) =>
      Object.entries(cast).map(([name, role]) =>
        role(world, tenant, chanceOf("load", world.seed, tenant.name, name)),
      ),
    );
  }

  start(): void {
    this.#isOver = false;
    this.#running = Promise.all(this.#acts.map((act) => this.#repeat(act)));
  }

  /** Ends when everybody knows what has become of the last thing that they did. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }

  async #repeat(act: Act): Promise<void> {
    while (!this.#isOver) {
      try {
        await act();
        if (this.#pauseMs > 0) await sleep(this.#pauseMs);
      } catch (error) {
        this.#world.complain(String(error));
        return;
      }
    }
  }
}
