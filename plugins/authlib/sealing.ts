import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const keyOf = (secret: string, purpose: string) =>
  Buffer.from(hkdfSync("sha256", secret, "", `framewright ${purpose}`, 32));

/** Seals a text (AES-256-GCM) for one purpose, under the first of the secrets. */
export function seal(text: string, [secret]: readonly string[], purpose: string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", keyOf(secret!, purpose), iv);
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64url");
}

/** What was sealed for the purpose under any of the secrets; undefined for everything else. */
export function unseal(sealed: string, secrets: readonly string[], purpose: string): string | undefined {
  const bytes = Buffer.from(sealed, "base64url");
  if (bytes.length <= 28) return undefined;
  for (const secret of secrets) {
    try {
      const decipher = createDecipheriv("aes-256-gcm", keyOf(secret, purpose), bytes.subarray(0, 12), {
        authTagLength: 16,
      });
      decipher.setAuthTag(bytes.subarray(12, 28));
      return decipher.update(bytes.subarray(28), undefined, "utf8") + decipher.final("utf8");
    } catch {
      // sealed under another secret, or tampered with
    }
  }
  return undefined;
}
