import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { type Logger, messageOf } from "framewright/host";
import type { Jobs } from "framewright/plugins/jobs";
import type { Storage } from "framewright/plugins/storage";
import type { Attachment, AttachmentHooks, AttachmentState, ThumbnailState } from "./contract.ts";
import { readContent, type StoredContent, storeNew } from "./incoming_file.ts";
import { PATH, UNREAD } from "./move_column.ts";
import type { AttachmentStore } from "./store.ts";
import { isDrawable, type ThumbnailKeys, type Thumbnails } from "./thumbnails.ts";

interface Parts {
  readonly storage: Storage;
  readonly store: () => AttachmentStore;
  readonly scan: AttachmentHooks["scan"];
  /** Undefined where no thumbnails are drawn. */
  readonly thumbnails: Thumbnails | undefined;
  readonly jobs: Jobs | undefined;
  /** The application's folder. */
  readonly root: string;
  readonly log: () => Logger;
}
/** The kind of the jobs that scan and draw. */
export const JOB = "attachments.process";

/** Scans files and draws their thumbnails, one after the other, beside the requests of this process. */
export class BackgroundWork {
  readonly #parts: Parts;
  readonly #waiting = new Set<number>();
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The state of a file that was just attached. */
  firstState(): AttachmentState {
    return this.#parts.scan.taps.length > 0 ? "held" : "ready";
  }
  thumbnailsOf({ type, size }: Pick<StoredContent, "type" | "size">): ThumbnailState {
    return this.#parts.thumbnails && isDrawable(type, size) ? "waiting" : "none";
  }
  /** Leaves files to the queue of jobs where there is one, else to this process. */
  async add(ids: readonly number[]): Promise<void> {
    const { jobs, log } = this.#parts;
    for (const id of jobs ? ids : [])
      await jobs!.enqueue(JOB, { id }).catch((err: unknown) => {
        log().error({ err }, `the attachment ${id} waits for a sweep: ${messageOf(err)}`);
      });
    if (!jobs) this.#start(ids);
  }
  #start(ids: readonly number[]): void {
    if (this.#isStopped || ids.length === 0) return;
    for (const id of ids) this.#waiting.add(id);
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      this.#start([...this.#waiting]); // what came in with its end
    });
  }
  async drain(): Promise<void> {
    while (this.#running) await this.#running;
  }
  /** Ends with the file that is being worked on; the rest is resumed by a sweep. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#waiting.clear();
    this.#parts.thumbnails?.close();
    await this.#running;
  }
  /** Does what is left to do with one file. */
  async process(id: number): Promise<void> {
    const found = await this.#parts.store().findById(id);
    if (!found || found.detached_at) return;
    const file = found.digest === UNREAD ? await this.#read(found) : found;
    const state = file.state === "held" ? await this.#scanned(file) : file.state;
    if (state === "ready" && file.thumbnails === "waiting") await this.#draw(file);
  }

  async #run(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve)); // the request that brought them is answered first
    for (const id of this.#waiting) {
      this.#waiting.delete(id);
      await this.process(id).catch((err: unknown) =>
        this.#parts.log().error({ err }, `the attachment ${id} could not be processed: ${messageOf(err)}`),
      );
    }
  }
  /** Reads what a file is that a column had, after copying one that is not in the storage. */
  async #read(file: Attachment): Promise<Attachment> {
    if (file.storage_key.startsWith(PATH)) return this.#copy(file);
    const { storage, store } = this.#parts;
    const open = () => storage.stream(file.storage_key);
    const known = await readContent({ filename: file.name, size: file.size, open });
    const facts = { ...known, thumbnails: this.thumbnailsOf({ ...known, size: file.size }) };
    await store().update(file.id, facts);
    return { ...file, ...facts };
  }
  async #copy(file: Attachment): Promise<Attachment> {
    const { storage, store, root, log } = this.#parts;
    const path = join(root, file.storage_key.slice(PATH.length));
    const found = await stat(path).catch(() => undefined);
    if (!found?.isFile()) {
      log().error(`the attachment ${file.id} is refused: there is no file ${path}`);
      await store().update(file.id, { state: "refused" });
      return { ...file, state: "refused" };
    }
    const content = await storeNew(storage, { filename: file.name, size: found.size, stream: createReadStream(path) });
    const facts = { ...content, thumbnails: this.thumbnailsOf(content) };
    await store().update(file.id, facts);
    return { ...file, ...facts };
  }
  async #scanned(attachment: Attachment): Promise<AttachmentState> {
    const { scan, storage, store } = this.#parts;
    const state = (await scan.promise({ attachment, open: () => storage.stream(attachment.storage_key) })) ?? "ready";
    await store().move(attachment.id, { state: "held" }, { state });
    return state;
  }
  async #draw(file: Attachment): Promise<void> {
    const { storage, store, thumbnails, log } = this.#parts;
    const left = [file.large_key, file.small_key].filter((key) => key !== null);
    for (const key of left) await storage.delete(key); // of a process that was killed
    const note = async (keys: ThumbnailKeys) => void (await store().move(file.id, { thumbnails: "waiting" }, keys));
    const drawn = await thumbnails!.draw(file, storage, note).catch((err: unknown) => {
      log().warn({ err }, `the attachment ${file.id} has no thumbnails: ${messageOf(err)}`);
      return undefined;
    });
    if (this.#isStopped && !drawn) return;
    const result = drawn
      ? { ...drawn, thumbnails: "ready" as const }
      : { thumbnails: "failed" as const, large_key: null, small_key: null };
    const isKept = await store().move(file.id, { thumbnails: "waiting" }, result);
    if (!isKept && drawn) for (const key of Object.values(drawn)) await storage.delete(key); // another process was faster
  }
}
