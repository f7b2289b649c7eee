import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject, randomBytes } from "node:crypto";

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts texts for one purpose (AES-256-GCM): a text that was sealed for another purpose or binding does not open. */
export interface Sealer {
  /** Encrypts under the current secret. `bound` (additional data) is not in the text, and must be given again to open it. */
  seal(text: string, bound?: string): string;
  /** Decrypts under any of the secrets; undefined for a text that was sealed otherwise, or tampered with. */
  open(sealed: string, bound?: string): string | undefined;
}

/** A sealer under `settings.secrets`; its keys are derived once. */
export function openSealer(secrets: readonly string[], purpose: string): Sealer {
  const keys = secrets.map((secret) =>
    createSecretKey(Buffer.from(hkdfSync("sha256", secret, "", `framewright ${purpose}`, 32))),
  );
  return {
    seal(text, bound = "") {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv("aes-256-gcm", keys[0]!, iv).setAAD(Buffer.from(bound));
      const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64url");
    },
    open(sealed, bound = "") {
      const bytes = Buffer.from(sealed, "base64url");
      if (bytes.length < IV_BYTES + TAG_BYTES) return undefined;
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
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(bound)).setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
}
