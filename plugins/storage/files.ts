import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import type { Disk } from "flydrive";
import type { DriverContract } from "flydrive/types";
import { cleanFilename, fileReply, notFound, type Reply } from "framewright/host";
import { withinRange } from "./byte_range.ts";
import type {
  ByteRange,
  DirectUploads,
  LinkOptions,
  NewBytes,
  NewStream,
  Storage,
  StoredFile,
  UploadForm,
} from "./contract.ts";
import { counted } from "./counted.ts";
import { errors } from "./errors.ts";
import { explain, reasonOf } from "./failures.ts";
import { TemporaryFiles, temporaryFolder } from "./temporary.ts";

/** `4f/4f…` or `staged/498123/4f…`: generated here only, so that no key leads out of the directory. */
const KEY_FORMAT = /^(?:[0-9a-f]{2}|staged\/\d{1,9})\/[0-9a-f]{40}$/;
/** Types that are sent to browsers; any other is sent as application/octet-stream. */
const SERVED_TYPES =
  /^(?:image\/(?:png|jpe?g|gif|webp|avif)|application\/(?:pdf|zip|json)|text\/(?:plain|csv)|(?:audio|video)\/[\w.+-]+)$/;
const LINK_SECONDS = 300;
/** What S3 allows at most: a week. */
const MAX_LINK_SECONDS = 604_800;

/** A storage that deletes expired temporary files: when a new one is put, and when `sweep` is called. */
export interface SweptStorage extends Storage {
  sweep(): Promise<void>;
}
/** Opens a part of a file. */
export type OpenRange = (disk: Disk, key: string, range: ByteRange) => Promise<Readable>;
/** Signs a form by which a browser sends a file of so many bytes. */
export type SignUpload = (
  disk: Disk,
  upload: { readonly key: string; readonly size: number; readonly seconds: number },
) => Promise<UploadForm>;
/** The address of a file for so many seconds. */
export type MakeLink = (disk: Disk, file: StoredFile, seconds: number) => Promise<string>;

/**
 * Files through a driver of flydrive: a directory, S3, Google Cloud Storage; opened on first use. `place` is its name in
 * errors, `makeLink` what `link` answers with; without it there are no links. `openRange` reads parts of files; without it what
 * comes before a part is read and left out. `signUpload` signs the forms of `direct`, which is absent without it.
 */
export function files(
  driver: () => Promise<DriverContract>,
  place: string,
  makeLink?: MakeLink,
  openRange: OpenRange = skipToRange,
  signUpload?: SignUpload,
): SweptStorage {
  const temporary = new TemporaryFiles();
  let opened: Promise<Disk> | undefined;
  const disk = (): Promise<Disk> => {
    opened ??= openDisk(driver);
    return opened;
  };
  /** Runs work on the disk; what a server answers with is turned into errors of ours. */
  const on = async <T>(work: (disk: Disk) => Promise<T>): Promise<T> => {
    try {
      return await work(await disk());
    } catch (error) {
      throw explain(error, place);
    }
  };
  const exists = (key: string) => on((opened) => opened.exists(key));
  const found = async (key: string): Promise<string> => {
    if (!(await exists(checked(key)))) throw errors.FW_STORAGE_MISSING(key);
    return key;
  };
  const stream = async (key: string, range?: ByteRange) => {
    const there = await found(key);
    if (range) return on((opened) => openRange(opened, there, range));
    return on(async (opened) => Readable.from(await opened.getStream(there)));
  };
  // Not by getBytes: in 1.3 it returns the whole pool of a small buffer, with other requests' bytes.
  const bytes = async (key: string) => {
    const chunks = await stream(key);
    return on(async () => Buffer.concat((await chunks.toArray()) as Buffer[]));
  };
  const direct: DirectUploads | undefined = signUpload && {
    async form({ size, ...options }) {
      const seconds = secondsOf(options);
      return on((opened) => signUpload(opened, { key: newKey(temporaryFolder()), size, seconds }));
    },
    async size(key) {
      if (!(await exists(checked(key)))) return undefined;
      return on(async (opened) => (await opened.getMetaData(key)).contentLength);
    },
    async copy(from, to) {
      const there = await found(from);
      await on((opened) => opened.copy(there, checked(to)));
    },
  };
  return {
    ...(direct && { direct }),
    async put(file, options) {
      const opened = await disk();
      if (options?.temporary) void temporary.sweep(opened).catch(() => undefined); // retried in the next hour
      const folder = options?.temporary ? temporaryFolder(options.hours) : undefined;
      return putFile(opened, place, file, options?.key === undefined ? newKey(folder) : checked(options.key));
    },
    newKey: () => newKey(),
    sweep: () => on((opened) => temporary.sweep(opened)),
    bytes,
    stream,
    exists: async (key) => KEY_FORMAT.test(key) && exists(key),
    delete: async (key) => on((opened) => opened.delete(checked(key))),
    async download(file) {
      if (!KEY_FORMAT.test(file.key) || !(await exists(file.key))) throw notFound();
      return downloadReply(file, await bytes(file.key));
    },
    async link(file, options) {
      checked(file.key);
      if (!makeLink) throw errors.FW_STORAGE_LINKS();
      const seconds = secondsOf(options);
      return on((opened) => makeLink(opened, file, seconds));
    },
  };
}

/** @throws FW_STORAGE_KEY */
function checked(key: string): string {
  if (typeof key !== "string" || !KEY_FORMAT.test(key)) throw errors.FW_STORAGE_KEY();
  return key;
}

/** @throws FW_STORAGE_EXPIRY */
function secondsOf({ expiresIn = LINK_SECONDS }: LinkOptions = {}): number {
  if (Number.isInteger(expiresIn) && expiresIn >= 1 && expiresIn <= MAX_LINK_SECONDS) return expiresIn;
  throw errors.FW_STORAGE_EXPIRY(MAX_LINK_SECONDS);
}

const skipToRange: OpenRange = async (disk, key, range) => withinRange(Readable.from(await disk.getStream(key)), range);

async function openDisk(driver: () => Promise<DriverContract>): Promise<Disk> {
  const { Disk } = await import("flydrive");
  return new Disk(await driver());
}

function newKey(folder?: string): string {
  const name = randomBytes(20).toString("hex");
  return `${folder ?? name.slice(0, 2)}/${name}`;
}

async function putFile(disk: Disk, place: string, file: NewBytes | NewStream, key: string): Promise<StoredFile> {
  const size = file.stream ? file.size : file.bytes.length;
  try {
    if (file.stream) await putStream(disk, key, file.stream, size);
    else await disk.put(key, file.bytes);
  } catch (error) {
    const explained = explain(error, place);
    throw explained === error && !isSizeError(error) ? errors.FW_STORAGE_WRITE(place, reasonOf(error)) : explained;
  }
  return { key, filename: cleanFilename(file.filename), type: file.type, size };
}

const isSizeError = (error: unknown): boolean => (error as { code?: unknown }).code === "FW_STORAGE_SIZE";

/** What was written of a file that ended early or grew is deleted. The failure of the stream is the one to report. */
async function putStream(disk: Disk, key: string, stream: Readable, size: number): Promise<void> {
  const checking = counted(stream, size);
  let failure: Error | undefined;
  checking.once("error", (error) => {
    failure = error;
  });
  try {
    if (size > 0) await disk.putStream(key, checking, { contentLength: size });
    else if ((await checking.toArray()).length === 0) await disk.put(key, Buffer.alloc(0)); // S3 wants a length above zero
    if (failure) throw failure;
  } catch (error) {
    stream.destroy();
    await disk.delete(key).catch(() => undefined);
    throw failure ?? error;
  }
}

/** The type that a browser may be sent. */
export const servedType = (type: string): string => (SERVED_TYPES.test(type) ? type : "application/octet-stream");

/** Downloaded, never displayed in the application's origin. */
export const downloadReply = ({ filename, type }: Pick<StoredFile, "filename" | "type">, content: Buffer): Reply =>
  fileReply({ filename, content, type: servedType(type) });
