import { createRequire } from "node:module";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { Storage } from "framewright/plugins/storage";
import type { Attachment } from "./contract.ts";

/** What is drawn as a thumbnail: its type, and bytes up to which it is read. */
const DRAWABLE = /^image\/(?:png|jpeg|gif|webp|avif|tiff)$/;
const MAX_BYTES = 50_000_000;
const MAX_PIXELS = 100_000_000;
const TIMEOUT_SECONDS = 20;
const IDLE_MS = 10_000;

export const isDrawable = (type: string, size: number): boolean => DRAWABLE.test(type) && size > 0 && size <= MAX_BYTES;

/** Whether the application has sharp, which draws thumbnails. */
export function hasSharp(): boolean {
  try {
    createRequire(import.meta.url).resolve("sharp");
    return true;
  } catch {
    return false;
  }
}

interface FromThread {
  readonly large?: Uint8Array;
  readonly small?: Uint8Array;
  readonly problem?: string;
}

/** Where the thumbnails of a file are stored. */
export interface ThumbnailKeys {
  readonly large_key: string;
  readonly small_key: string;
}

/** Draws thumbnails in a thread of its own, which ends when there is nothing to draw for a while. */
export class Thumbnails {
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** Stores the thumbnails of a file, whose keys are noted before where the storage has some; their keys. @throws where it can't be decoded, or takes too long */
  async draw(
    { storage_key }: Attachment,
    storage: Storage,
    note: (keys: ThumbnailKeys) => Promise<void>,
  ): Promise<ThumbnailKeys> {
    const { large, small } = await this.#inTurn(async () => this.#ask(await storage.bytes(storage_key)));
    const keys = [storage.newKey?.(), storage.newKey?.()] as const;
    if (keys[0] !== undefined && keys[1] !== undefined) await note({ large_key: keys[0], small_key: keys[1] });
    const put = async (bytes: Uint8Array, key: string | undefined) =>
      (await storage.put({ filename: "thumbnail.webp", type: "image/webp", bytes: Buffer.from(bytes) }, { key })).key;
    return { large_key: await put(large!, keys[0]), small_key: await put(small!, keys[1]) };
  }
  close(): void {
    clearTimeout(this.#idle);
    void this.#worker?.terminate();
    this.#worker = undefined;
  }

  /** Jobs run in parallel, and an answer of the thread does not name its file: one is drawn at a time. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
  #ask(bytes: Buffer): Promise<FromThread> {
    clearTimeout(this.#idle);
    this.#worker ??= this.#open();
    const worker = this.#worker;
    const copy = new Uint8Array(bytes); // of its own, since it is handed over
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => done(() => this.#fail(reject, "it takes too long")), (TIMEOUT_SECONDS + 5) * 1000);
      const onMessage = (answer: FromThread) =>
        done(() => (answer.problem === undefined ? resolve(answer) : reject(new Error(answer.problem))));
      const onError = (error: Error) => done(() => this.#fail(reject, error.message));
      const onExit = () => done(() => this.#fail(reject, "its thread has ended"));
      const done = (then: () => void) => {
        clearTimeout(late);
        worker.off("message", onMessage).off("error", onError).off("exit", onExit);
        this.#idle = setTimeout(() => this.close(), IDLE_MS).unref();
        then();
      };
      worker.on("message", onMessage).on("error", onError).on("exit", onExit);
      worker.postMessage(copy, [copy.buffer]);
    });
  }
  #fail(reject: (error: Error) => void, problem: string): void {
    this.close();
    reject(new Error(problem));
  }
  #open(): Worker {
    const limits = { pixels: MAX_PIXELS, seconds: TIMEOUT_SECONDS };
    const worker = new Worker(join(import.meta.dirname, "thumbnail_thread.js"), { execArgv: [], workerData: limits });
    worker.unref();
    return worker;
  }
}
