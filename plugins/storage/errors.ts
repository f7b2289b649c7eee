import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_STORAGE_KEY: () =>
    "this is not the key of a stored file. Use the key that put() returned, never one from a request.",
  FW_STORAGE_MISSING: (key: string) =>
    `the stored file ${key} does not exist. It was deleted, or the plugin's directory has changed.`,
  FW_STORAGE_WRITE: (directory: string, reason: string) =>
    `a file could not be written below ${directory}: ${reason}. Allow the process to write there, or set another directory: storage({ directory }).`,
  FW_STORAGE_SIZE: (size: number) =>
    `the stream had more or fewer than the ${size} bytes that put() was told, and the file was not stored. Pass the size of the whole stream.`,
  FW_STORAGE_AWAY: (place: string, reason: string) =>
    `${place} does not answer: ${reason}. Requests for its files are answered 503 until it does.`,
  // Never quotes what the server returned: it may repeat the key and what was signed with it.
  FW_STORAGE_REFUSED: (place: string, reason: string) =>
    `${place} refused a request: ${reason}. Check S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, S3_REGION, and what the key may do in the bucket.`,
  FW_STORAGE_LINKS: () =>
    "files in a directory have no links of their own. Let the application serve them, storage({ links: true }), or answer storage.download(file) from a route.",
  FW_STORAGE_EXPIRY: (most: number) => `a link expires after a whole number of seconds from 1 to ${most}.`,
  FW_STORAGE_S3_PACKAGES: (reason: string) =>
    `files on S3 need the packages @aws-sdk/client-s3 and @aws-sdk/s3-request-presigner, and they could not be loaded: ${reason}. Install them: npm install @aws-sdk/client-s3 @aws-sdk/s3-request-presigner`,
  FW_STORAGE_S3_SETTING: (name: string, expected: string) => `files on S3 need ${name}: ${expected}.`,
});
