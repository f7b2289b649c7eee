import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import type { Disk } from "flydrive";
import type { DriverContract } from "flydrive/types";
import { cleanFilename, fileReply, notFound, type Reply } from "framewright/host";
import { messageOf } from "framewright/kernel";
import type { Storage, StoredFile } from "./contract.ts";
import { errors } from "./errors.ts";
import { TemporaryFiles, temporaryFolder } from "./temporary.ts";

/** `4f/4f…` or `staged/498123/4f…`: generated here only, so that no key leads out of the directory. */
const KEY_FORMAT = /^(?:[0-9a-f]{2}|staged\/\d{1,9})\/[0-9a-f]{40}$/;
/** Types that are sent to browsers; any other is sent as application/octet-stream. */
const SERVED_TYPES =
  /^(?:image\/(?:png|jpe?g|gif|webp|avif)|application\/(?:pdf|zip|json)|text\/(?:plain|csv)|(?:audio|video)\/[\w.+-]+)$/;

/** A storage that deletes expired temporary files: when a new one is put, and when `sweep` is called. */
export interface SweptStorage extends Storage {
  sweep(): Promise<void>;
}

/**
 * Files through a driver of flydrive: a directory, S3, Google Cloud Storage; opened on first use. `place` is its name in
 * errors.
 */
export function files(driver: () => Promise<DriverContract>, place: string): SweptStorage {
  const temporary = new TemporaryFiles();
  let opened: Promise<Disk> | undefined;
  const disk = (): Promise<Disk> => {
    opened ??= openDisk(driver);
    return opened;
  };
  const checked = (key: string): string => {
    if (typeof key !== "string" || !KEY_FORMAT.test(key)) throw errors.FW_STORAGE_KEY();
    return key;
  };
  const found = async (key: string): Promise<string> => {
    if (!(await (await disk()).exists(checked(key)))) throw errors.FW_STORAGE_MISSING(key);
    return key;
  };
  const stream = async (key: string) => Readable.from(await (await disk()).getStream(await found(key)));
  // Not by getBytes: in 1.3 it returns the whole pool of a small buffer, with other requests' bytes.
  const bytes = async (key: string) => Buffer.concat((await (await stream(key)).toArray()) as Buffer[]);
  return {
    async put(file, options) {
      const opened = await disk();
      if (options?.temporary) void temporary.sweep(opened).catch(() => undefined); // retried in the next hour
      return putFile(opened, place, file, options?.temporary === true);
    },
    sweep: async () => temporary.sweep(await disk()),
    bytes,
    stream,
    exists: async (key) => KEY_FORMAT.test(key) && (await disk()).exists(key),
    delete: async (key) => (await disk()).delete(checked(key)),
    async download(file) {
      if (!KEY_FORMAT.test(file.key) || !(await (await disk()).exists(file.key))) throw notFound();
      return downloadReply(file, await bytes(file.key));
    },
  };
}

type UploadInput = Parameters<Storage["put"]>[0];

async function openDisk(driver: () => Promise<DriverContract>): Promise<Disk> {
  const { Disk } = await import("flydrive");
  return new Disk(await driver());
}

async function putFile(disk: Disk, place: string, file: UploadInput, isTemporary: boolean): Promise<StoredFile> {
  const name = randomBytes(20).toString("hex");
  const key = `${isTemporary ? temporaryFolder() : name.slice(0, 2)}/${name}`;
  try {
    await disk.put(key, file.bytes);
  } catch (error) {
    throw errors.FW_STORAGE_WRITE(place, messageOf((error as Error).cause ?? error));
  }
  return { key, filename: cleanFilename(file.filename), type: file.type, size: file.bytes.length };
}

/** Downloaded, never displayed in the application's origin. */
const downloadReply = ({ filename, type }: StoredFile, content: Buffer): Reply =>
  fileReply({ filename, content, ...(SERVED_TYPES.test(type) ? { type } : {}) });
