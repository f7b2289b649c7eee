import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject, randomBytes } from "node:crypto";

const IV = 12;
const TAG = 16;

/** Seals texts for one purpose (AES-256-GCM): what is sealed for another, or bound to something else, does not open. */
export interface Sealer {
  /** Under the current secret. `bound` is not in the text, and must be the same when it is opened. */
  seal(text: string, bound?: string): string;
  /** Under any of the secrets; undefined for what was sealed otherwise, or tampered with. */
  open(sealed: string, bound?: string): string | undefined;
}

/** A sealer under `settings.secrets`; its keys are derived once. */
export function openSealer(secrets: readonly string[], purpose: string): Sealer {
  const keys = secrets.map((secret) =>
    createSecretKey(Buffer.from(hkdfSync("sha256", secret, "", `framewright ${purpose}`, 32))),
  );
  return {
    seal(text, bound = "") {
      const iv = randomBytes(IV);
      const cipher = createCipheriv("aes-256-gcm", keys[0]!, iv).setAAD(Buffer.from(bound));
      const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64url");
    },
    open(sealed, bound = "") {
      const bytes = Buffer.from(sealed, "base64url");
      if (bytes.length < IV + TAG) return undefined;
      for (const key of keys) {
        try {
          return opened(bytes, key, bound);
        } catch {
          // sealed under another secret, or tampered with
        }
      }
      return undefined;
    },
  };
}

function opened(bytes: Buffer, key: KeyObject, bound: string): string {
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, IV), { authTagLength: TAG });
  decipher.setAAD(Buffer.from(bound)).setAuthTag(bytes.subarray(IV, IV + TAG));
  return decipher.update(bytes.subarray(IV + TAG), undefined, "utf8") + decipher.final("utf8");
}
