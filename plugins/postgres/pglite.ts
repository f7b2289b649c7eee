import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { PGlite } from "@electric-sql/pglite";
import { lockFolder } from "./folder_lock.ts";
import { loadPglite } from "./packages.ts";
import { PgliteStream } from "./pglite_stream.ts";

interface Opened {
  database: PGlite;
  unlock(): void;
}
interface Instance {
  opened: Promise<Opened>;
  users: number;
}
/** One use of a PGlite: streams to it until it ends. */
export interface Lease {
  /** Starts the database, which takes a process seconds at first. */
  ready(): Promise<unknown>;
  stream(): Promise<PgliteStream>;
  end(): Promise<void>;
}

/** The databases in this process by their folders: a folder can be opened once. */
export class PgliteInstances {
  readonly #instances = new Map<string, Instance>();
  readonly #closing = new Map<string, Promise<void>>();

  /** Nothing is opened before the first stream. */
  lease(place: string): Lease {
    const key = place === ":memory:" ? `:memory:${this.#instances.size}:${performance.now()}` : place;
    let isOpen = false;
    const ready = async () => {
      const instance = this.#open(key, place, isOpen);
      isOpen = true;
      try {
        return await instance.opened;
      } catch (error) {
        isOpen = false;
        if (this.#instances.get(key) === instance) this.#instances.delete(key); // the next use tries again
        throw error;
      }
    };
    return {
      ready,
      stream: async () => new PgliteStream((await ready()).database),
      end: async () => {
        if (isOpen) await this.#release(key);
        isOpen = false;
      },
    };
  }

  #open(key: string, place: string, isOpen: boolean): Instance {
    const closing = this.#closing.get(key) ?? Promise.resolve();
    const instance = this.#instances.get(key) ?? { opened: closing.then(() => start(place)), users: 0 };
    if (!isOpen) instance.users++;
    this.#instances.set(key, instance);
    return instance;
  }

  async #release(key: string): Promise<void> {
    const instance = this.#instances.get(key);
    if (!instance || --instance.users > 0) return;
    this.#instances.delete(key);
    const closing = close(await instance.opened).finally(() => this.#closing.delete(key));
    this.#closing.set(key, closing);
    await closing;
  }
}

async function close({ database, unlock }: Opened): Promise<void> {
  try {
    await database.close();
  } finally {
    unlock();
  }
}

async function start(place: string): Promise<Opened> {
  const { PGlite, citext } = await loadPglite();
  if (place === ":memory:")
    return { database: await PGlite.create({ extensions: { citext } }), unlock: () => undefined };
  mkdirSync(dirname(place), { recursive: true });
  const unlock = lockFolder(place);
  try {
    return { database: await PGlite.create({ dataDir: place, extensions: { citext } }), unlock };
  } catch (error) {
    unlock();
    throw error;
  }
}
