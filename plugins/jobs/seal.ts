import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject, randomBytes } from "node:crypto";
import { errors } from "./errors.ts";

const IV = 12;
const TAG = 16;

const keyOf = (secret: string): KeyObject =>
  createSecretKey(Buffer.from(hkdfSync("sha256", secret, "", "framewright jobs", 32)));

/** Seals payloads: under the current secret, bound to the kind of job; the previous secrets open what they sealed. */
export function sealer(secrets: readonly string[]) {
  const keys = secrets.map(keyOf);
  return {
    seal(kind: string, payload: object): string {
      const iv = randomBytes(IV);
      const cipher = createCipheriv("aes-256-gcm", keys[0]!, iv).setAAD(Buffer.from(kind));
      const text = Buffer.concat([cipher.update(JSON.stringify(payload), "utf8"), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), text]).toString("base64url");
    },
    /** @throws FW_JOB_SEALED */
    open(kind: string, sealed: string): object {
      const bytes = Buffer.from(sealed, "base64url");
      for (const key of keys) {
        try {
          return JSON.parse(opened(bytes, key, kind)) as object;
        } catch {
          // sealed under another secret, or tampered with
        }
      }
      throw errors.FW_JOB_SEALED();
    },
  };
}
export type Sealer = ReturnType<typeof sealer>;

function opened(bytes: Buffer, key: KeyObject, kind: string): string {
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, IV), { authTagLength: TAG });
  decipher.setAAD(Buffer.from(kind)).setAuthTag(bytes.subarray(IV, IV + TAG));
  return decipher.update(bytes.subarray(IV + TAG), undefined, "utf8") + decipher.final("utf8");
}
