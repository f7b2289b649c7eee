import type { Readable } from "node:stream";
import type { S3Client } from "@aws-sdk/client-s3";
import { attachment } from "framewright/host";
import { messageOf } from "framewright/kernel";
import { withinRange } from "./byte_range.ts";
import { errors } from "./errors.ts";
import { files, type MakeLink, type OpenRange, type SignUpload, type SweptStorage, servedType } from "./files.ts";
import { signUploadForm } from "./s3_uploads.ts";

/** Where files lie on S3, or on a server that speaks its protocol. */
export interface S3Options {
  /** `S3_BUCKET` by default. */
  bucket?: string;
  /** `S3_REGION` by default; `us-east-1` where neither is given and there is an endpoint. */
  region?: string;
  /** The address of a server other than Amazon's; `S3_ENDPOINT` by default. */
  endpoint?: string;
  /** Milliseconds without an answer after which a request has failed; it is tried twice. 10,000 by default. */
  timeout?: number;
}
type Values = Readonly<Record<string, string | undefined>>;

const TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 2000;

const ignore = (): void => undefined;
/** What goes wrong is thrown; the client would repeat it on the terminal. */
const SILENT = { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore };

/** A bucket with all that is needed to reach it. The credentials are Amazon's own chain (role, AWS_… variables) where none are set. */
export interface S3Place {
  readonly bucket: string;
  readonly region: string;
  readonly endpoint: string | undefined;
  readonly timeout: number;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;
}

/** The bucket that options or settings name; undefined where neither does. @throws FW_STORAGE_S3_SETTING */
export function s3Place(options: S3Options | undefined, values: Values): S3Place | undefined {
  const bucket = options?.bucket ?? values.S3_BUCKET;
  if (!bucket) {
    if (options) throw errors.FW_STORAGE_S3_SETTING("S3_BUCKET", "the name of the bucket");
    return undefined;
  }
  const endpoint = (options?.endpoint ?? values.S3_ENDPOINT) || undefined;
  if (endpoint !== undefined && !/^https?:\/\/[^@]+$/.test(endpoint))
    throw errors.FW_STORAGE_S3_SETTING("S3_ENDPOINT", "an address such as https://s3.example, without credentials");
  const region = (options?.region ?? values.S3_REGION) || (endpoint === undefined ? undefined : "us-east-1");
  if (region === undefined)
    throw errors.FW_STORAGE_S3_SETTING("S3_REGION", "the region of the bucket, as in eu-central-1");
  return { bucket, region, endpoint, timeout: options?.timeout ?? TIMEOUT_MS, credentials: credentialsOf(values) };
}

/** @throws FW_STORAGE_S3_SETTING where one of the two is missing */
function credentialsOf({ S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey }: Values) {
  if (accessKeyId && secretAccessKey) return { accessKeyId, secretAccessKey };
  if (!accessKeyId && !secretAccessKey) return undefined;
  const missing = accessKeyId ? "S3_SECRET_ACCESS_KEY" : "S3_ACCESS_KEY_ID";
  throw errors.FW_STORAGE_S3_SETTING(missing, "the other half of the credentials");
}

/** Files in a bucket. Nothing of it is public: downloads get a signed link, or the bytes from the application. */
export function s3Files(
  place: S3Place,
  { onClose, isDirect }: { onClose: (undo: () => void) => void; isDirect: boolean },
): SweptStorage {
  const { bucket, region, endpoint, timeout, credentials } = place;
  let client: S3Client | undefined;
  onClose(() => client?.destroy());
  const driver = async () => {
    const { S3Client, S3Driver } = await loadPackages();
    client = new S3Client({
      region,
      ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }), // other servers know no host for each bucket
      ...(credentials && { credentials }),
      maxAttempts: 2,
      requestChecksumCalculation: "WHEN_REQUIRED", // servers other than Amazon's do not know the newer checksums
      responseChecksumValidation: "WHEN_REQUIRED",
      requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, socketTimeout: timeout },
      logger: SILENT,
    });
    return new S3Driver({ client, bucket, visibility: "private", supportsACL: false });
  };
  const makeLink: MakeLink = (disk, { key, filename, type }, seconds) => {
    const asAttachment = { contentDisposition: dispositionOf(filename), contentType: servedType(type) };
    return disk.getSignedUrl(key, { expiresIn: seconds, ...asAttachment });
  };
  const openRange: OpenRange = async (_disk, key, { first, last }) => {
    const { GetObjectCommand } = await loadPackages();
    const range = { Bucket: bucket, Key: key, Range: `bytes=${first}-${last}` };
    const { Body, ContentRange } = await client!.send(new GetObjectCommand(range));
    const start = ContentRange === undefined ? first : 0; // a server without ranges sends the whole file
    return withinRange(Body as Readable, { first: start, last: start + last - first });
  };
  const signUpload: SignUpload = (_disk, upload) => signUploadForm(client!, place, upload); // opened with the disk
  return files(driver, `the bucket ${bucket}`, makeLink, openRange, isDirect ? signUpload : undefined);
}

/** The short form for plain names: some servers sign the signs of the long one differently. */
const dispositionOf = (filename: string): string =>
  /^[\w .,+-]+$/.test(filename) ? `attachment; filename="${filename}"` : attachment(filename);

/** An application brings the packages itself: one with files in a directory does not install them. @throws FW_STORAGE_S3_PACKAGES */
async function loadPackages() {
  try {
    const [{ GetObjectCommand, S3Client }, { S3Driver }] = await Promise.all([
      import("@aws-sdk/client-s3"),
      import("flydrive/drivers/s3"),
    ]);
    return { GetObjectCommand, S3Client, S3Driver };
  } catch (error) {
    throw errors.FW_STORAGE_S3_PACKAGES(messageOf(error));
  }
}
