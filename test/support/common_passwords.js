// Writes plugins/authlib/features/password_complexity/common.bin: 32 bits of the SHA-256 of each common password, sorted.
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const SHORTEST = 8;
const { dictionary } = createRequire(import.meta.url)("@zxcvbn-ts/language-common");
const words = new Set(dictionary["passwords-common"].map((word) => word.toLowerCase()));
const digests = [...words]
  .filter((word) => word.length >= SHORTEST)
  .map((word) => createHash("sha256").update(word).digest().readUInt32BE())
  .sort((a, b) => a - b);
const bytes = Buffer.alloc(digests.length * 4);
for (const [at, digest] of digests.entries()) bytes.writeUInt32BE(digest, at * 4);
const target = join(import.meta.dirname, "../../plugins/authlib/features/password_complexity/common.bin");
writeFileSync(target, bytes);
console.log(`${digests.length} passwords, ${bytes.length} bytes: ${target}`);
