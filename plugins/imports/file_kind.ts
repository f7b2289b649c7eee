import type { UploadedFile } from "framewright/host";
import type { FileProblem } from "./inspected_file.ts";
import { fileLimits } from "./limits.ts";

const ZIP = "PK\x03\x04";
/** Older spreadsheets, and those with a password. */
const COMPOUND = Buffer.from("d0cf11e0a1b11ae1", "hex");

/** Whether a file is a spreadsheet, by what it begins with or by its name; then it is no CSV. */
export const isSheet = ({ filename, bytes }: UploadedFile): boolean =>
  bytes.subarray(0, 4).toString("latin1") === ZIP || isCompound(bytes) || /\.(?:xlsx|xlsm|xls|ods)$/i.test(filename);

const isCompound = (bytes: Buffer): boolean => bytes.subarray(0, 8).equals(COMPOUND);

/** Why a file is not read at all. */
export function problemOfKind({ bytes }: UploadedFile): FileProblem | undefined {
  if (bytes.length > fileLimits.bytes) return { problem: "bytes", vars: { megabytes: fileLimits.bytes / 1_000_000 } };
  if (!isCompound(bytes)) return undefined;
  const isEncrypted = bytes.includes(Buffer.from("EncryptedPackage", "utf16le")); // Excel puts the file into a compound one so
  return { problem: isEncrypted ? "sheet_password" : "sheet_old", vars: {} };
}
