// What every filler of the slot "passwordHasher" must do. Uses node:assert alone, so that it runs under any test runner.
import assert from "node:assert/strict";
import type { PasswordHasher } from "framewright/plugins/passwords";

export interface PasswordHasherCheck {
  sentence: string;
  check(hasher: PasswordHasher): Promise<void>;
}

export const passwordHasherConformance: readonly PasswordHasherCheck[] = [
  {
    sentence: "A hash verifies the password that it was made of, and no other",
    async check(hasher) {
      const hash = await hasher.hash("correct horse");
      assert.equal(await hasher.verify("correct horse", hash), true);
      for (const wrong of ["Correct horse", "correct horse ", "correct", "", hash]) {
        assert.equal(await hasher.verify(wrong, hash), false, wrong);
      }
    },
  },
  {
    sentence: "Long, non-English and NUL-containing passwords verify against their own hashes only",
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
    sentence: "Two hashes of one password differ, do not contain it and fit into 255 characters",
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
    sentence: "An empty password is refused with FW_PASSWORD_EMPTY",
    async check(hasher) {
      await assert.rejects(hasher.hash(""), { code: "FW_PASSWORD_EMPTY" });
    },
  },
  {
    sentence: "A hash that cannot be read verifies as false, without an error, and needs a rehash",
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
    sentence: "A hash that the hasher has just made needs no rehash",
    async check(hasher) {
      assert.equal(hasher.needsRehash(await hasher.hash("x")), false);
    },
  },
];
