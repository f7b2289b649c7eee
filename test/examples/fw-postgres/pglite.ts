import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { PGlite } from "@electric-sql/pglite";
import { PgliteStream } from "./pglite_stream.ts";

interface Instance {
  database: Promise<PGlite>;
  users: number;
}
/** One use of a PGlite: streams to it until it ends. */
export interface Lease {
  stream(): Promise<PgliteStream>;
  end(): Promise<void>;
}

/** The databases in this process by their folders: a folder can be opened once. */
export class PgliteInstances {
  readonly #instances = new Map<string, Instance>();

  /** Nothing is opened before the first stream. */
  lease(place: string): Lease {
    const key = place === ":memory:" ? `:memory:${this.#instances.size}:${performance.now()}` : place;
    let isOpen = false;
    return {
      stream: async () => {
        const instance = this.#open(key, place, isOpen);
        isOpen = true;
        return new PgliteStream(await instance.database);
      },
      end: async () => {
        if (isOpen) await this.#release(key);
        isOpen = false;
      },
    };
  }

  #open(key: string, place: string, isOpen: boolean): Instance {
    const instance = this.#instances.get(key) ?? { database: start(place), users: 0 };
    if (!isOpen) instance.users++;
    this.#instances.set(key, instance);
    return instance;
  }

  async #release(key: string): Promise<void> {
    const instance = this.#instances.get(key);
    if (!instance || --instance.users > 0) return;
    this.#instances.delete(key);
    await (await instance.database).close();
  }
}

async function start(place: string): Promise<PGlite> {
  const { PGlite } = await import("@electric-sql/pglite");
  const { citext } = await import("@electric-sql/pglite/contrib/citext");
  if (place !== ":memory:") mkdirSync(dirname(place), { recursive: true });
  return PGlite.create({ ...(place === ":memory:" ? {} : { dataDir: place }), extensions: { citext } });
}
