import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import type { Disk } from "flydrive";
import type { DriverContract } from "flydrive/types";
import { notFound, Reply } from "framewright/host";
import { messageOf } from "framewright/kernel";
import { errors } from "./errors.ts";
import { attachment, cleanFilename } from "./filenames.ts";
import type { Storage, StoredFile } from "./index.ts";
import { TemporaryFiles, temporaryFolder } from "./temporary.ts";

/** `4f/4f…` or `staged/498123/4f…`: made here and nowhere else, so that none leads out of the directory. */
const keyShape = /^(?:[0-9a-f]{2}|staged\/\d{1,9})\/[0-9a-f]{40}$/;
/** What a browser may be told of a file's type; the rest is just bytes. */
const known =
  /^(?:image\/(?:png|jpe?g|gif|webp|avif)|application\/(?:pdf|zip|json)|text\/(?:plain|csv)|(?:audio|video)\/[\w.+-]+)$/;

/** A storage that deletes temporary files itself: of hours that are over, when one is put, and when it is called. */
export interface SweptStorage extends Storage {
  sweep(): Promise<void>;
}

/**
 * Files by a driver of flydrive: a directory, S3, Google Cloud Storage; opened when the first file comes. `place` is how
 * errors call it.
 */
export function files(driver: () => Promise<DriverContract>, place: string): SweptStorage {
  const temporary = new TemporaryFiles();
  let opened: Promise<Disk> | undefined;
  const disk = (): Promise<Disk> => {
    opened ??= open(driver);
    return opened;
  };
  const checked = (key: string): string => {
    if (typeof key !== "string" || !keyShape.test(key)) throw errors.FW_STORAGE_KEY();
    return key;
  };
  const found = async (key: string): Promise<string> => {
    if (!(await (await disk()).exists(checked(key)))) throw errors.FW_STORAGE_MISSING(key);
    return key;
  };
  const stream = async (key: string) => Readable.from(await (await disk()).getStream(await found(key)));
  // Not by getBytes: 1.3's gives the whole pool that a small buffer lies in, other requests' bytes included.
  const bytes = async (key: string) => Buffer.concat((await (await stream(key)).toArray()) as Buffer[]);
  return {
    async put(file, options) {
      const opened = await disk();
      if (options?.temporary) void temporary.sweep(opened).catch(() => undefined); // the next hour's tries again
      return put(opened, place, file, options?.temporary === true);
    },
    sweep: async () => temporary.sweep(await disk()),
    bytes,
    stream,
    exists: async (key) => keyShape.test(key) && (await disk()).exists(key),
    delete: async (key) => (await disk()).delete(checked(key)),
    async download(file) {
      if (!keyShape.test(file.key) || !(await (await disk()).exists(file.key))) throw notFound();
      return reply(file, await bytes(file.key));
    },
  };
}

type FileGiven = Parameters<Storage["put"]>[0];

async function open(driver: () => Promise<DriverContract>): Promise<Disk> {
  const { Disk } = await import("flydrive");
  return new Disk(await driver());
}

async function put(disk: Disk, place: string, file: FileGiven, isTemporary: boolean): Promise<StoredFile> {
  const name = randomBytes(20).toString("hex");
  const key = `${isTemporary ? temporaryFolder() : name.slice(0, 2)}/${name}`;
  try {
    await disk.put(key, file.bytes);
  } catch (error) {
    throw errors.FW_STORAGE_WRITE(place, messageOf((error as Error).cause ?? error));
  }
  return { key, filename: cleanFilename(file.filename), type: file.type, size: file.bytes.length };
}

/** Saved, never shown in the page's origin. */
const reply = ({ filename, type }: StoredFile, body: Buffer): Reply =>
  new Reply(200, body, {
    "content-type": known.test(type) ? type : "application/octet-stream",
    "content-disposition": attachment(filename),
    "x-content-type-options": "nosniff",
    "cache-control": "private, no-store",
  });
