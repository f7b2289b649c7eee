// What every filler of the slot "passwordHasher" must do. Uses node:assert alone, so that it runs under any test runner.
import assert from "node:assert/strict";
import type { PasswordHasher } from "framewright/plugins/passwords";

export interface PasswordHasherCheck {
  sentence: string;
  check(hasher: PasswordHasher): Promise<void>;
}

export const passwordHasherConformance: readonly PasswordHasherCheck[] = [
  {
    sentence: "knows the password that made a hash, and no other",
    async check(hasher) {
      const hash = await hasher.hash("correct horse");
      assert.equal(await hasher.verify("correct horse", hash), true);
      for (const wrong of ["Correct horse", "correct horse ", "correct", "", hash]) {
        assert.equal(await hasher.verify(wrong, hash), false, wrong);
      }
    },
  },
  {
    sentence: "takes every character: long, non-English, with NUL",
    async check(hasher) {
      for (const password of ["p".repeat(5000), "пароль 密码 🐎", "a\u0000b"]) {
        const hash = await hasher.hash(password);
        assert.equal(await hasher.verify(password, hash), true);
        assert.equal(await hasher.verify(`${password}x`, hash), false);
      }
      assert.equal(await hasher.verify("a", await hasher.hash("a\u0000b")), false);
    },
  },
  {
    sentence: "salts: two hashes of one password differ, and neither holds it",
    async check(hasher) {
      const hashes = await Promise.all([hasher.hash("same-password"), hasher.hash("same-password")]);
      assert.notEqual(hashes[0], hashes[1]);
      for (const hash of hashes) {
        assert.ok(!hash.includes("same-password"));
        assert.ok(hash.length <= 255, "it fits a column of 255 characters");
      }
    },
  },
  {
    sentence: "refuses to hash an empty password, by code",
    async check(hasher) {
      await assert.rejects(hasher.hash(""), { code: "FW_PASSWORD_EMPTY" });
    },
  },
  {
    sentence: "says false, and never throws, for a hash that can't be read",
    async check(hasher) {
      const good = await hasher.hash("x");
      for (const broken of [
        "",
        "x",
        "$argon2id$",
        good.slice(0, -8),
        `${good}!`,
        good.replace("argon2id", "argon2x"),
      ]) {
        assert.equal(await hasher.verify("x", broken), false, broken);
        assert.equal(hasher.needsRehash(broken), true, broken);
      }
    },
  },
  {
    sentence: "needs no new hash for its own",
    async check(hasher) {
      assert.equal(hasher.needsRehash(await hasher.hash("x")), false);
    },
  },
];
