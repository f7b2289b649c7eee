import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FSDriver } from "flydrive/drivers/fs";
import { database } from "framewright/plugins/database";
import { files, storage } from "framewright/plugins/storage";
import { storageConformance } from "../../conformance/storage.ts";
import { bootApp } from "../../support/apps.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";

const fresh = () => mkdtempSync(join(tmpdir(), "fw-storage-"));

describe("Files in a directory", (it, { after }) => {
  const location = fresh();
  after(() => rmSync(location, { recursive: true }));
  const store = files(async () => new FSDriver({ location, visibility: "private" }), location);
  for (const { sentence, check } of storageConformance) it(sentence, () => check(store));

  it("A sweep deletes temporary files after some hours, and no other files", async () => {
    const real = Date.now;
    const put = (temporary: boolean, more = {}) =>
      store.put({ filename: "a", type: "text/plain", bytes: Buffer.from("a") }, { temporary, ...more });
    try {
      const [lasting, early] = [await put(false), await put(true)];
      const day = await put(true, { hours: 24 });
      Date.now = () => real() + 5 * 3_600_000;
      await store.sweep();
      const late = await put(true);
      assert.ok(await store.exists(early.key));
      Date.now = () => real() + 8 * 3_600_000;
      await store.sweep();
      const left = await Promise.all([lasting, early, late].map(({ key }) => store.exists(key)));
      assert.equal(left, [true, false, true]);
      for (const [hours, isKept] of [
        [24, true],
        [26, false],
      ] as const) {
        Date.now = () => real() + hours * 3_600_000;
        await store.sweep();
        assert.is(await store.exists(day.key), isKept, `after ${hours} hours`);
      }
    } finally {
      Date.now = real;
    }
  });

  it("FW_STORAGE_WRITE names the directory that cannot be written", async () => {
    writeFileSync(join(location, "file"), "");
    const below = join(location, "file", "further");
    const blocked = files(async () => new FSDriver({ location: below, visibility: "private" }), below);
    const error = await throwsCode("FW_STORAGE_WRITE", () =>
      blocked.put({ filename: "a", type: "text/plain", bytes: Buffer.from("a") }),
    );
    assert.ok(error.message.includes(below));
  });
});

describe("The storage plugin", (it) => {
  it("Files are stored below the application's root, in a directory that is created when it is needed", async () => {
    const app = await bootApp(
      { "config/routes.ts": 'import { drawRoutes } from "framewright"; export default drawRoutes(() => {});' },
      { plugins: [database(), storage()] },
    );
    const directory = join(app.root, "storage/files");
    assert.not(existsSync(directory));
    const service = app.application.kernel.service("storage");
    const { key } = await service.put({ filename: "a", type: "text/plain", bytes: Buffer.from("a") });
    assert.equal(readdirSync(directory), [key.slice(0, 2)]);
    await app.close();
  });

  it("An unknown option of the storage plugin is refused with FW_OPTION_UNKNOWN", async () => {
    await throwsCode("FW_OPTION_UNKNOWN", () => storage({ directry: "x" } as never));
  });
});
