// What every filler of the slot "storage" must do. Uses node:assert alone, so that it runs under any test runner.
import assert from "node:assert/strict";
import { Readable } from "node:stream";
import type { Storage } from "framewright/plugins/storage";

export interface StorageCheck {
  sentence: string;
  check(storage: Storage): Promise<void>;
}

const text = (content: string, filename = "note.txt") => ({
  filename,
  type: "text/plain",
  bytes: Buffer.from(content),
});

export const storageConformance: readonly StorageCheck[] = [
  {
    sentence: "A stored file is read back with the same bytes, whole and as a stream",
    async check(storage) {
      const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, index) => index % 256));
      const kept = await storage.put({ filename: "all.bin", type: "application/octet-stream", bytes });
      assert.deepEqual(
        { ...kept, key: "" },
        { key: "", filename: "all.bin", type: "application/octet-stream", size: 100_000 },
      );
      assert.ok(bytes.equals(await storage.bytes(kept.key)));
      const chunks: Buffer[] = [];
      for await (const chunk of await storage.stream(kept.key)) chunks.push(Buffer.from(chunk as Uint8Array));
      assert.ok(bytes.equals(Buffer.concat(chunks)));
    },
  },
  {
    sentence: "A file is stored from a stream, as its bytes come",
    async check(storage) {
      const chunks = Array.from({ length: 40 }, (_, index) => Buffer.alloc(10_000, index));
      const facts = { filename: "film.mp4", type: "video/mp4" };
      const kept = await storage.put({ ...facts, stream: Readable.from(chunks), size: 400_000 });
      assert.deepEqual({ ...kept, key: "" }, { ...facts, key: "", size: 400_000 });
      assert.ok(Buffer.concat(chunks).equals(await storage.bytes(kept.key)));
      const none = await storage.put({ ...facts, stream: Readable.from([]), size: 0 }, { temporary: true });
      assert.equal((await storage.bytes(none.key)).length, 0);
    },
  },
  {
    sentence: "A file is stored under a key that was chosen before, where the storage has such; another key is refused",
    async check(storage) {
      if (!storage.newKey) return;
      const key = storage.newKey();
      assert.equal(await storage.exists(key), false);
      assert.equal((await storage.put(text("noted"), { key })).key, key);
      assert.equal((await storage.bytes(key)).toString(), "noted");
      await assert.rejects(storage.put(text("mine"), { key: "../mine" }));
      assert.notEqual(storage.newKey(), key);
    },
  },
  {
    sentence:
      "A storage that browsers send files to signs forms of temporary keys, and knows the size of a file that it copies",
    async check(storage) {
      if (!storage.direct || !storage.newKey) return;
      const { key, url, fields } = await storage.direct.form({ size: 5, expiresIn: 60 });
      assert.match(key, /^staged\//);
      assert.equal(fields.key, key);
      assert.match(url, /^https?:/);
      assert.equal(await storage.direct.size(key), undefined);
      await assert.rejects(storage.direct.form({ size: 5, expiresIn: 0 }));
      const { key: from } = await storage.put(text("12345"), { temporary: true });
      const to = storage.newKey();
      await storage.direct.copy(from, to);
      assert.equal(await storage.direct.size(to), 5);
      assert.equal((await storage.bytes(to)).toString(), "12345");
      await assert.rejects(storage.direct.copy(key, storage.newKey()));
      await assert.rejects(storage.direct.copy(from, "../mine"));
    },
  },
  {
    sentence: "A stream that fails, or has more or fewer bytes than it should, stores nothing",
    async check(storage) {
      async function* broken() {
        yield Buffer.from("the first half");
        throw new Error("the sender hung up");
      }
      const put = (stream: Readable, size: number) =>
        storage.put({ filename: "a.bin", type: "application/octet-stream", stream, size });
      await assert.rejects(put(Readable.from([Buffer.from("12345")]), 4), { code: "FW_STORAGE_SIZE" });
      await assert.rejects(put(Readable.from([Buffer.from("12345")]), 6), { code: "FW_STORAGE_SIZE" });
      await assert.rejects(put(Readable.from(broken()), 100), /hung up/);
    },
  },
  {
    sentence: "A part of a file is read by the positions of its first and last byte",
    async check(storage) {
      const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, index) => (index * 7) % 256));
      const { key } = await storage.put({ filename: "all.bin", type: "application/octet-stream", bytes });
      for (const [first, last] of [
        [0, 0],
        [0, 99_999],
        [1, 70_000],
        [99_999, 99_999],
        [65_535, 65_537],
      ] as const) {
        const part = Buffer.concat(await (await storage.stream(key, { first, last })).toArray());
        assert.ok(bytes.subarray(first, last + 1).equals(part), `${first}-${last}`);
      }
    },
  },
  {
    sentence: "An empty file is stored and read back",
    async check(storage) {
      const kept = await storage.put(text(""));
      assert.equal(kept.size, 0);
      assert.equal((await storage.bytes(kept.key)).length, 0);
    },
  },
  {
    sentence: "Storage keys are unique, have 22 to 200 characters and contain nothing of the file's name",
    async check(storage) {
      const kept = await Promise.all(Array.from({ length: 20 }, () => storage.put(text("same", "secret-plan.txt"))));
      assert.equal(new Set(kept.map(({ key }) => key)).size, 20);
      for (const { key } of kept) {
        assert.ok(key.length >= 22 && key.length <= 200, key);
        assert.doesNotMatch(key, /secret|plan|txt/);
      }
    },
  },
  {
    sentence: "A deleted file does not exist any more, and reading it fails with FW_STORAGE_MISSING",
    async check(storage) {
      const [kept, other] = [await storage.put(text("one")), await storage.put(text("two"))];
      assert.equal(await storage.exists(kept.key), true);
      await storage.delete(kept.key);
      await storage.delete(kept.key);
      assert.equal(await storage.exists(kept.key), false);
      assert.equal(String(await storage.bytes(other.key)), "two");
      await assert.rejects(storage.bytes(kept.key), { code: "FW_STORAGE_MISSING" });
      await assert.rejects(storage.stream(kept.key), { code: "FW_STORAGE_MISSING" });
    },
  },
  {
    sentence: "A key that the storage has not made gives access to no file",
    async check(storage) {
      const { key } = await storage.put(text("one"));
      for (const wrong of [
        "",
        ".",
        "..",
        "../package.json",
        "/etc/hosts",
        `../${key}`,
        `${key}/..`,
        `${key}\0`,
        "a:b",
        `${key}/${key}`,
      ]) {
        assert.equal(await storage.exists(wrong), false, wrong);
        await assert.rejects(storage.bytes(wrong), /FW_STORAGE_(KEY|MISSING)/, wrong);
        await assert.rejects(storage.download({ key: wrong, filename: "x", type: "text/plain", size: 1 }), {
          status: 404,
        });
        await storage.delete(wrong).catch(() => undefined);
      }
      assert.equal(String(await storage.bytes(key)), "one");
    },
  },
  {
    sentence: "A temporary file is read back and deleted as any other",
    async check(storage) {
      const kept = await storage.put(text("one"), { temporary: true });
      assert.equal(String(await storage.bytes(kept.key)), "one");
      assert.equal(await storage.exists(kept.key), true);
      await storage.delete(kept.key);
      assert.equal(await storage.exists(kept.key), false);
    },
  },
  {
    sentence: "A link is refused for an expiry that is none, and for a key that the storage has not made",
    async check(storage) {
      const kept = await storage.put(text("one"));
      const refused = /FW_STORAGE_(?:LINKS|EXPIRY|KEY)/;
      for (const expiresIn of [0, -1, 1.5, 604_801, Number.NaN])
        await assert.rejects(storage.link(kept, { expiresIn }), refused, String(expiresIn));
      await assert.rejects(storage.link({ ...kept, key: "../etc/passwd" }), refused);
    },
  },
  {
    sentence: "File names are stored without directories, special characters and excess length",
    async check(storage) {
      const names: [given: string, kept: string][] = [
        ["../../etc/passwd", "passwd"],
        ["C:\\temp\\a.pdf", "a.pdf"],
        ['a"b<c>\r\n.png', "abc.png"],
        ["invoice\u202egnp.exe", "invoicegnp.exe"],
        ["  ..  ", "file"],
        [`${"x".repeat(300)}.pdf`, `${"x".repeat(146)}.pdf`],
        ["Grüße.txt", "Grüße.txt"],
      ];
      for (const [given, kept] of names) assert.equal((await storage.put(text("", given))).filename, kept);
    },
  },
  {
    sentence: "A download is an attachment with nosniff, and HTML is sent as application/octet-stream",
    async check(storage) {
      const kept = await storage.put({ filename: 'Grü"ße;.html', type: "text/html", bytes: Buffer.from("<script>") });
      const { status, headers, body } = await storage.download(kept);
      assert.equal(status, 200);
      assert.equal(String(body), "<script>");
      assert.equal(headers["content-type"], "application/octet-stream");
      assert.equal(headers["x-content-type-options"], "nosniff");
      assert.match(String(headers["cache-control"]), /private/);
      assert.equal(
        headers["content-disposition"],
        "attachment; filename=\"Gr__e_.html\"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%3B.html",
      );
      const image = await storage.put({ filename: "a.png", type: "image/png", bytes: Buffer.from("x") });
      assert.equal((await storage.download(image)).headers["content-type"], "image/png");
      const wild = await storage.put({ filename: "a.png", type: "text/plain\r\nx: y", bytes: Buffer.from("x") });
      assert.equal((await storage.download(wild)).headers["content-type"], "application/octet-stream");
    },
  },
];
