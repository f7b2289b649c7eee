import { createReadStream } from "node:fs";
import { join, resolve } from "node:path";
import { checkOptions, definePlugin, option, type Plugin, type PluginKernel } from "framewright/kernel";
import type {} from "./contract.ts";
import { files, type MakeLink, type OpenRange, type SweptStorage } from "./files.ts";
import { LocalLinks } from "./local_links.ts";
import { type S3Options, s3Files, s3Place } from "./s3.ts";
import { bucketUrl } from "./s3_uploads.ts";

export { attachment, cleanFilename } from "framewright/host";
export type {
  ByteRange,
  DirectUploads,
  LinkOptions,
  NewBytes,
  NewStream,
  PutOptions,
  Storage,
  StoredFile,
} from "./contract.ts";
export {
  type FileKind,
  fileKind,
  firstBytes,
  HEAD_BYTES,
  isAcceptedKind,
  isAcceptedUpload,
  UNKNOWN,
} from "./file_kind.ts";
export { isAccepted, sizeText } from "./file_rules.ts";
export { downloadReply, files, type MakeLink, type OpenRange, type SweptStorage, servedType } from "./files.ts";
export type { S3Options } from "./s3.ts";

const HOUR_MS = 3_600_000;

/** Options of `storage()`. */
export interface StorageOptions {
  /** Relative to the application's root, or absolute. */
  directory?: string;
  /** Whether the application serves links to files in the directory, at `/_files/…`. Links to files on S3 are the server's own. */
  links?: boolean;
  /** Whether browsers send files to the bucket by themselves, by forms that the application signs; in a directory it changes nothing. False by default. */
  directUploads?: boolean;
  /** Files lie in a bucket. Without it they do where `S3_BUCKET` is set. */
  s3?: S3Options;
}

/** Stores uploaded files in a directory that no route serves, or in a private bucket of S3. */
export function storage(options: StorageOptions = {}): Plugin {
  checkOptions("storage", options, {
    directory: option.string,
    links: option.boolean,
    directUploads: option.boolean,
    s3: option.object,
  });
  const { bucket, region, endpoint, timeout } = options.s3 ?? {};
  const rules = { bucket: option.string, region: option.string, endpoint: option.string, timeout: option.number };
  checkOptions("storage", { bucket, region, endpoint, timeout, ...options.s3 }, rules);
  return definePlugin({
    name: "storage",
    requires: ["host"],
    provides: "storage",
    apply(kernel) {
      const stored = open(options, kernel);
      kernel.services.host.periodic.add(HOUR_MS, () => stored.sweep());
      return stored;
    },
  });
}

function open(
  { directory = "storage/files", links = false, directUploads = false, s3 }: StorageOptions,
  { settings, hooks, services: { host }, onClose }: PluginKernel<"host", "storage">,
): SweptStorage {
  const place = s3Place(s3, settings.values);
  if (place && directUploads) host.csp.add("connect-src", new URL(bucketUrl(place)).origin);
  if (place) return s3Files(place, { onClose, isDirect: directUploads });
  const location = resolve(settings.root, directory);
  if (!links) return directoryFiles(location);
  const local = new LocalLinks(settings);
  const stored = directoryFiles(location, local.make);
  hooks.kernel.drawRoutes.tap("storage", (routes) => local.draw(routes, stored));
  return stored;
}

function directoryFiles(location: string, makeLink?: MakeLink): SweptStorage {
  const driver = async () => {
    const { FSDriver } = await import("flydrive/drivers/fs");
    return new FSDriver({ location, visibility: "private" });
  };
  const openRange: OpenRange = async (_disk, key, { first, last }) =>
    createReadStream(join(location, key), { start: first, end: last });
  return files(driver, location, makeLink, openRange);
}
