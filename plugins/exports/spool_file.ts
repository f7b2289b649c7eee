import { randomUUID } from "node:crypto";
import { type FileHandle, open, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import type { ReplyStream } from "framewright/host";

/** A file without a name, in the directory for temporary files: it is deleted when it is closed, and when the process dies. */
export class SpoolFile {
  readonly #handle: FileHandle;
  /** Bytes that were written. */
  size = 0;

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }
  static async open(): Promise<SpoolFile> {
    const path = join(tmpdir(), `framewright-export-${randomUUID()}`);
    const handle = await open(path, "wx+", 0o600);
    await unlink(path);
    return new SpoolFile(handle);
  }

  async write(chunks: ReplyStream | readonly Buffer[]): Promise<void> {
    for await (const chunk of chunks) {
      const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
      for (let at = 0; at < bytes.length; )
        at += (await this.#handle.write(bytes, at, bytes.length - at, this.size + at)).bytesWritten;
      this.size += bytes.length;
    }
  }
  /** All that was written. */
  read(): Readable {
    return this.#handle.createReadStream({ start: 0, autoClose: false });
  }
  close(): Promise<void> {
    return this.#handle.close();
  }
}
