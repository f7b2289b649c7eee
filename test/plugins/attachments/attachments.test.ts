import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import {
  ann,
  bob,
  bytesOf,
  cat,
  dan,
  list,
  openAttachments,
  type Sent,
  sendForm,
  serviceOf,
  upload,
} from "./attachments_app.ts";

interface Row {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly url: string;
  readonly alternative: string | null;
}

for (const database of await databases({ withPostgres: true })) {
  describe(`Files of records, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openAttachments({}, await database.values());
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const rows = (where: object = {}) =>
      databaseOf(app.application).knex("framewright_attachments").where(where).orderBy("id");
    const read = async (path: string, headers: Record<string, string> = ann) => {
      const answer = await app.request(path, { headers: { ...headers, accept: "application/json" } });
      return ((await answer.json()) as { data: Record<string, unknown> }).data;
    };
    const create = async (fields: Sent, headers = ann) => {
      const named = [["shipment[reference]", "NEW"], ...fields] as Sent;
      const answer = await sendForm(app.client(), { page: `${list}/new`, headers }, named);
      return { status: answer.status, path: answer.headers.get("location") ?? "", html: await answer.text() };
    };
    const edit = async (path: string, fields: Sent, headers = ann) => {
      const answer = await sendForm(app.client(), { page: `${path}/edit`, headers }, fields);
      return { status: answer.status, html: await answer.text() };
    };
    const patch = async (path: string, values: object, headers: Record<string, string> = ann) => {
      const opened = await app.request(path, { headers });
      const token = /name="csrf-token" content="([^"]*)"/.exec(await opened.text())![1]!;
      const cookie = opened.headers.getSetCookie().map((line) => line.split(";")[0]);
      const json = { accept: "application/json", "content-type": "application/json", "x-csrf-token": token };
      const body = JSON.stringify({ shipment: values });
      return app.request(path, { method: "PATCH", body, headers: { ...headers, ...json, cookie: cookie.join("; ") } });
    };
    const photosOf = async (path: string) => (await read(path)).photos as Row[];

    can("Files of a form are stored with the record, read in JSON, and downloaded under the record", async () => {
      const { status, path } = await create([
        ["shipment[plan][new][]", upload("the plan", "plan a.txt", "text/html")],
        ["shipment[photos][new][]", upload(bytesOf("red.png"), "one.png")],
        ["shipment[photos][new][]", upload(bytesOf("red.jpg"), "two.jpg")],
      ]);
      assert.is(status, 303);
      const record = await read(path);
      const { id, url, ...plan } = record.plan as Row;
      assert.equal(plan, {
        name: "plan a.txt",
        type: "text/plain",
        size: 8,
        alternative: null,
        state: "ready",
        thumbnails: null,
      });
      assert.equal(
        (record.photos as Row[]).map(({ name, type }) => [name, type]),
        [
          ["one.png", "image/png"],
          ["two.jpg", "image/jpeg"],
        ],
      );
      assert.is(record.cover, null);
      assert.is(url, `${path}/files/plan/${id}`);
      const answer = await app.request(url, { headers: ann });
      assert.is(await answer.text(), "the plan");
      assert.is(answer.headers.get("content-type"), "text/plain");
      assert.match(answer.headers.get("content-disposition")!, /^attachment; filename="plan a.txt"/);
      assert.is(answer.headers.get("x-content-type-options"), "nosniff");
      const shown = await app.request((record.photos as Row[])[0]!.url, { headers: ann });
      assert.match(shown.headers.get("content-disposition")!, /^inline/);
      assert.ok(bytesOf("red.png").equals(Buffer.from(await shown.arrayBuffer())));
      assert.equal(
        (await rows({ owner_id: path.split("/").at(-1) })).map(({ tenant }) => tenant),
        Array(3).fill("organizations/1"),
      );
      const html = await (await app.request(path, { headers: ann })).text();
      assert.match(html, "plan a.txt");
      assert.match(html, url);
    });
    can("Files are added, put in another order, described and removed one by one, and the rest stays", async () => {
      const { path } = await create([
        ["shipment[photos][new][]", upload(bytesOf("red.png"), "a.png")],
        ["shipment[photos][new][]", upload(bytesOf("red.jpg"), "b.jpg")],
        ["shipment[photos][new][]", upload(bytesOf("red.gif"), "c.gif")],
      ]);
      const [a, b, c] = (await photosOf(path)).map(({ id }) => id);
      const part = (id: number | undefined, name: string) => `shipment[photos][stored][f${id}][${name}]`;
      assert.is((await edit(path, [])).status, 303);
      assert.equal(
        (await photosOf(path)).map(({ id }) => id),
        [a, b, c],
      );
      const key = (await rows({ id: b }))[0]!.storage_key as string;
      const changed = await edit(path, [
        [part(a, "position"), "2"],
        [part(c, "position"), "1"],
        [part(a, "alternative"), "  The red field "],
        [part(b, "remove"), "1"],
        ["shipment[photos][new][]", upload(bytesOf("red.webp"), "d.webp")],
      ]);
      assert.is(changed.status, 303);
      assert.equal(
        (await photosOf(path)).map(({ name, alternative }) => [name, alternative]),
        [
          ["c.gif", null],
          ["a.png", "The red field"],
          ["d.webp", null],
        ],
      );
      assert.is(await app.application.kernel.service("storage").exists(key), false);
      assert.is((await app.request(`${path}/files/photos/${b}`, { headers: ann })).status, 404);
    });
    can("A file in the place of one replaces it, and a program takes it away with null", async () => {
      const { path } = await create([["shipment[cover][new][]", upload(bytesOf("red.png"), "a.png")]]);
      const [first] = await rows({ owner_id: path.split("/").at(-1), field: "cover" });
      await edit(path, [["shipment[cover][new][]", upload(bytesOf("red.jpg"), "b.jpg")]]);
      assert.is(((await read(path)).cover as Row).name, "b.jpg");
      assert.is(await app.application.kernel.service("storage").exists(first!.storage_key as string), false);
      assert.is((await patch(path, { cover: null })).status, 200);
      assert.is((await read(path)).cover, null);
    });
    can(
      "What JSON shows of files is taken back: their order and their texts, and those that are left out go",
      async () => {
        const { path } = await create([
          ["shipment[photos][new][]", upload(bytesOf("red.png"), "a.png")],
          ["shipment[photos][new][]", upload(bytesOf("red.jpg"), "b.jpg")],
          ["shipment[plan][new][]", upload("x", "p.txt")],
        ]);
        await serviceOf(app).drain();
        const before = await read(path);
        const photos = before.photos as Row[];
        assert.is((await patch(path, { photos, plan: before.plan as object })).status, 200);
        assert.equal(await photosOf(path), photos);
        await patch(path, { photos: [{ id: photos[1]!.id, alternative: "b" }, { id: photos[0]!.id }] });
        assert.equal(
          (await photosOf(path)).map(({ name, alternative }) => [name, alternative]),
          [
            ["b.jpg", "b"],
            ["a.png", null],
          ],
        );
        await patch(path, { photos: [{ id: photos[0]!.id }] });
        assert.equal(
          (await photosOf(path)).map(({ name }) => name),
          ["a.png"],
        );
        const other = (await rows().whereNot({ owner_id: path.split("/").at(-1) }))[0]!.id;
        for (const photos of [
          [{ id: other }],
          "x",
          [1],
          { id: 1 },
          null,
          [{ id: "1" }],
          [{}],
          { new: ["x"] },
          { new: [{ bytes: "x" }] },
        ]) {
          const answer = await patch(path, { photos } as never);
          assert.is(answer.status, 422, JSON.stringify(photos));
          assert.match(await answer.text(), '"photos"');
        }
        assert.equal(
          (await photosOf(path)).map(({ name }) => name),
          ["a.png"],
        );
      },
    );
    can("A text of UTF-16 is a text, and markup in it is markup", async () => {
      const utf16 = (text: string, isBig: boolean) => {
        const bytes = Buffer.from(`\ufeff${text}`, "utf16le");
        return isBig ? bytes.swap16() : bytes;
      };
      for (const isBig of [false, true]) {
        const plan = upload(utf16("der Plan", isBig), "plan.txt");
        const { status, path } = await create([["shipment[plan][new][]", plan]]);
        assert.is(status, 303);
        assert.is(((await read(path)).plan as Row).type, "text/plain");
        const page = upload(utf16("<html><script>alert(1)</script>", isBig), "plan.txt");
        assert.is((await create([["shipment[plan][new][]", page]])).status, 422);
      }
    });
    can(
      "What a file is, its bytes say: another thing under an accepted name is refused with the field's name",
      async () => {
        const png = bytesOf("red.png");
        const exe = Buffer.concat([Buffer.from("MZ\x90\x00\x03\x00\x00\x00", "latin1"), Buffer.alloc(500)]);
        const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
        const cases: [field: string, bytes: string | Buffer, name: string, status: number][] = [
          ["cover", exe, "me.jpg", 422],
          ["photos", exe, "me.jpg", 422],
          ["cover", "<html><script>alert(1)</script>", "me.png", 422],
          ["cover", svg, "me.svg", 422],
          ["cover", svg, "me.png", 422],
          ["cover", "", "empty.png", 422],
          ["plan", png, "me.pdf", 422],
          ["plan", exe, "me.txt", 422],
          ["plan", svg, "me.txt", 422],
          ["plan", "x".repeat(500_001), "large.txt", 422],
          ["cover", png, "me.jpg.exe", 303],
          ["cover", png.subarray(0, 60), "half.png", 303],
          ["plan", "", "empty.txt", 303],
        ];
        for (const [field, bytes, name, status] of cases) {
          const before = await rows();
          const answer = await create([[`shipment[${field}][new][]`, upload(bytes, name, "image/png")]]);
          assert.is(answer.status, status, name);
          if (status === 422) {
            assert.match(answer.html, `shipment_${field}_errors`);
            assert.is((await rows()).length, before.length, name);
          }
        }
      },
    );
    can("A picture of 30,000 by 30,000 pixels is refused by its header, whatever the format", async () => {
      const png = Buffer.from(bytesOf("red.png"));
      png.writeUInt32BE(30_000, 16);
      png.writeUInt32BE(30_000, 20);
      const gif = Buffer.from(bytesOf("red.gif"));
      gif.writeUInt16LE(30_000, 6);
      gif.writeUInt16LE(30_000, 8);
      const jpg = Buffer.from(bytesOf("red.jpg"));
      const at = jpg.indexOf(Buffer.from([0xff, 0xc0]));
      jpg.writeUInt16BE(30_000, at + 5);
      jpg.writeUInt16BE(30_000, at + 7);
      const avif = Buffer.from(bytesOf("red.avif"));
      const box = avif.indexOf("ispe");
      avif.writeUInt32BE(30_000, box + 8);
      avif.writeUInt32BE(30_000, box + 12);
      const webp = Buffer.from("524946461a000000574542505650384c0d0000002f2f75cb1d1007111188880800", "hex");
      webp.writeUInt32LE((29_999 % 16_384) | (16_383 << 14), 21);
      for (const [bytes, name] of [
        [png, "a.png"],
        [gif, "a.gif"],
        [jpg, "a.jpg"],
        [avif, "a.avif"],
        [webp, "a.webp"],
      ] as const) {
        const { status, html } = await create([["shipment[cover][new][]", upload(bytes, name)]]);
        assert.is(status, 422, name);
        assert.match(html, "has too many pixels (at most 100 million)");
      }
    });
    can("A picture that is a program or a page as well, and an SVG, are only ever downloads", async () => {
      const js = Buffer.concat([
        Buffer.from("GIF89a/*", "latin1"),
        bytesOf("red.gif").subarray(8),
        Buffer.from("*/=1;alert(1)"),
      ]);
      const page = Buffer.concat([bytesOf("red.png"), Buffer.from("<script>alert(1)</script>")]);
      const split = Buffer.concat([
        bytesOf("red.jpg"),
        Buffer.alloc(65_536 - bytesOf("red.jpg").length - 4),
        Buffer.from("<SCRipt src=x>"),
      ]);
      const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
      const { path } = await create([
        ["shipment[photos][new][]", upload(js, "a.gif", "image/gif")],
        ["shipment[photos][new][]", upload(page, "b.png", "image/png")],
        ["shipment[photos][new][]", upload(split, "c.jpg", "image/jpeg")],
        ["shipment[photos][new][]", upload(svg, "d.svg", "image/svg+xml")],
        ["shipment[photos][new][]", upload(bytesOf("red.png"), "e.png", "text/html")],
      ]);
      const answers = await Promise.all((await photosOf(path)).map(({ url }) => app.request(url, { headers: ann })));
      assert.equal(
        answers.map(({ headers }) => [headers.get("content-type"), headers.get("content-disposition")!.split(";")[0]]),
        [
          ["image/gif", "attachment"],
          ["image/png", "attachment"],
          ["image/jpeg", "attachment"],
          ["application/octet-stream", "attachment"],
          ["image/png", "inline"],
        ],
      );
      for (const { headers } of answers) {
        assert.is(headers.get("x-content-type-options"), "nosniff");
        assert.is(headers.get("content-security-policy"), "default-src 'none'; sandbox");
      }
    });
    can("Names are cleaned, and are no way out of the storage or the header", async () => {
      const names = [
        "../../etc/passwd.txt",
        "a\\b\\c.txt",
        "x\r\nSet-Cookie: a=1.txt",
        "\u202Etxt.exe.txt",
        `${"n".repeat(300)}.txt`,
      ];
      for (const name of names) {
        const { path, status } = await create([["shipment[papers][new][]", upload("x", name)]]);
        assert.is(status, 303, name);
        const [file] = (await read(path)).papers as Row[];
        assert.ok([...file!.name].length <= 150);
        assert.not.match(file!.name, /[\\/\r\n\u202e:]/);
        assert.is((await app.request(file!.url, { headers: ann })).headers.get("set-cookie"), null);
      }
    });
    can("There are limits for the files of a field, and for those of a record together", async () => {
      const many = Array.from(
        { length: 6 },
        () => ["shipment[photos][new][]", upload(bytesOf("red.gif"), "a.gif")] as const,
      );
      const refused = await create(many);
      assert.is(refused.status, 422);
      assert.match(refused.html, "are too many (at most 5)");
      const half = "x".repeat(1_200_000);
      const { path } = await create([["shipment[papers][new][]", upload(half, "a.txt")]]);
      const before = await rows();
      const more = await edit(path, [["shipment[papers][new][]", upload(half, "b.txt")]]);
      assert.is(more.status, 422);
      assert.match(more.html, "are too large together (at most 2 MB for a record)");
      assert.equal(await rows(), before);
    });
    can("Files that came with a refused form are kept for the next try, in the same browser alone", async () => {
      const client = app.client();
      const fields: Sent = [
        ["shipment[reference]", "KEPT"],
        ["shipment[weight]", "heavy"],
        ["shipment[photos][new][]", upload(bytesOf("red.png"), "kept.png")],
        ["shipment[photos][new][]", upload(bytesOf("red.gif"), "left.gif")],
        ["shipment[plan][new][]", upload("plan", "plan.txt")],
      ];
      const before = (await rows()).length;
      const refused = await sendForm(client, { page: `${list}/new`, headers: ann }, fields);
      assert.is(refused.status, 422);
      assert.is((await rows()).length, before);
      const html = await refused.text();
      for (const name of ["kept.png", "left.gif", "plan.txt"]) assert.match(html, name);
      const again: Sent = [
        ["shipment[weight]", "7"],
        ["shipment[photos][kept][k1][remove]", "1"],
      ];
      const stolen = await sendForm(app.client(), { page: `${list}/new`, html, headers: bob }, again);
      assert.is(stolen.status === 303, false);
      const saved = await sendForm(client, { page: `${list}/new`, html, headers: ann }, again);
      assert.is(saved.status, 303);
      const path = saved.headers.get("location")!;
      assert.equal(
        (await photosOf(path)).map(({ name }) => name),
        ["kept.png"],
      );
      assert.is(((await read(path)).plan as Row).name, "plan.txt");
    });
    can("One refused file among several is named, and the others are kept", async () => {
      const client = app.client();
      const refused = await sendForm(client, { page: `${list}/new`, headers: ann }, [
        ["shipment[reference]", "R"],
        ["shipment[photos][new][]", upload(bytesOf("red.png"), "good.png")],
        ["shipment[photos][new][]", upload("text", "bad.png")],
      ]);
      const html = await refused.text();
      assert.match(html, "bad.png: is not accepted (accepted are pictures)");
      const saved = await sendForm(client, { page: `${list}/new`, html, headers: ann }, []);
      assert.equal(
        (await photosOf(saved.headers.get("location")!)).map(({ name }) => name),
        ["good.png"],
      );
    });
    can("Another tenant's, a hidden field's and a deleted record's file are not found", async () => {
      const { path } = await create([
        ["shipment[photos][new][]", upload(bytesOf("red.png"), "a.png")],
        ["shipment[plan][new][]", upload("p", "p.txt")],
      ]);
      const [{ url }] = (await photosOf(path)) as [Row];
      const plan = (await read(path)).plan as Row;
      const status = async (url: string, headers: Record<string, string>) =>
        (await app.request(url, { headers })).status;
      assert.equal([await status(url, ann), await status(url, cat)], [200, 200]);
      for (const suffix of ["", "/large", "/small", "/x"]) assert.is(await status(url + suffix, bob), 404);
      assert.is(await status(url.replace("customer/1", "customer/2"), bob), 404);
      await databaseOf(app.application).knex("memberships").insert({ user_id: 4, organization_id: 1 });
      assert.equal([await status(url, dan), await status(plan.url, dan)], [404, 200]);
      const wrong = ["x", "0", "01", "1e0", "-1", "9007199254740993", `${plan.id}`];
      for (const id of wrong) assert.is(await status(`${path}/files/photos/${id}`, ann), 404, id);
      for (const name of ["reference", "constructor", "__proto__", "secret_token"])
        assert.is(await status(`${path}/files/${name}`, ann), 404, name);
      await databaseOf(app.application)
        .knex("shipments")
        .where({ id: path.split("/").at(-1) })
        .delete();
      assert.equal([await status(url, ann), await status(plan.url, ann)], [404, 404]);
    });
    can("A download goes on where it broke off, is told when nothing changed, and HEAD has no body", async () => {
      const text = Array.from({ length: 20_000 }, (_, at) => String(at)).join(",");
      const { path } = await create([["shipment[papers][new][]", upload(text, "a.txt")]]);
      const [{ url }] = (await read(path)).papers as [Row];
      const get = (headers: Record<string, string>, method = "GET") =>
        app.request(url, { method, headers: { ...ann, ...headers } });
      const whole = await get({});
      const etag = whole.headers.get("etag")!;
      assert.equal(
        [whole.headers.get("accept-ranges"), whole.headers.get("content-length")],
        ["bytes", String(text.length)],
      );
      assert.is(await whole.text(), text);
      for (const [range, first, last] of [
        ["bytes=0-9", 0, 9],
        ["bytes=5-", 5, text.length - 1],
        ["bytes=-7", text.length - 7, text.length - 1],
        ["bytes=10-999999", 10, text.length - 1],
      ] as const) {
        const part = await get({ range });
        assert.equal([part.status, part.headers.get("content-range")], [206, `bytes ${first}-${last}/${text.length}`]);
        assert.is(await part.text(), text.slice(first, last + 1));
      }
      const none = await get({ range: "bytes=999999-" });
      assert.equal([none.status, none.headers.get("content-range")], [416, `bytes */${text.length}`]);
      for (const range of ["bytes=5-1", "lines=1-2", "bytes=0-1,3-4", "bytes=-", "x"])
        assert.is((await get({ range })).status, 200, range);
      assert.is((await get({ range: "bytes=0-1", "if-range": '"other"' })).status, 200);
      assert.is((await get({ range: "bytes=0-1", "if-range": etag })).status, 206);
      const known = await get({ "if-none-match": etag });
      assert.equal([known.status, await known.text()], [304, ""]);
      const head = await get({}, "HEAD");
      assert.equal(
        [head.status, head.headers.get("content-length"), await head.text()],
        [200, String(text.length), ""],
      );
      const alone = await app.request(`${path}/files/plan`, { headers: ann });
      assert.is(alone.status, 404);
    });
    can(
      "A deleted record's files come back when the deletion is undone, and else are deleted within hours",
      async () => {
        const storage = app.application.kernel.service("storage");
        const client = app.client();
        const { path } = await create([["shipment[photos][new][]", upload(bytesOf("red.png"), "a.png")]]);
        const remove = async () => {
          const html = await (await client.request(path, { headers: ann })).text();
          const token = /name="csrf-token" content="([^"]*)"/.exec(html)![1]!;
          const body = new URLSearchParams({ _method: "delete", authenticity_token: token });
          await client.request(path, { method: "POST", body, headers: { ...ann, "x-csrf-token": token } });
        };
        await serviceOf(app).drain();
        const [photo] = await photosOf(path);
        const [{ storage_key: key }] = (await rows({ id: photo!.id })) as [{ storage_key: string }];
        await remove();
        assert.is((await app.request(path, { headers: ann })).status, 404);
        await serviceOf(app).sweep();
        assert.is(await storage.exists(key), true);
        const html = await (await client.request(list, { headers: ann })).text();
        const [, action, inner] = /<form[^>]*action="([^"]*\/undo)"[^>]*>(.*?)<\/form>/s.exec(html)!;
        const token = /name="authenticity_token" value="([^"]*)"/.exec(inner!)![1]!;
        await client.request(action!, {
          method: "POST",
          headers: ann,
          body: new URLSearchParams({ authenticity_token: token }),
        });
        assert.equal(await photosOf(path), [photo]);
        await remove();
        await rows({ id: photo!.id }).update({ detached_at: "2026-01-01 00:00:00.000" });
        await serviceOf(app).sweep();
        assert.equal([await storage.exists(key), (await rows({ id: photo!.id })).length], [false, 0]);
      },
    );
    can("Of people who add files at once none goes over what a record may have", async () => {
      const { path } = await create([]);
      const client = app.client();
      const html = await (await client.request(path, { headers: ann })).text();
      const token = /name="csrf-token" content="([^"]*)"/.exec(html)![1]!;
      const add = async (index: number) => {
        const body = new FormData();
        body.append("_method", "patch");
        body.append("shipment[photos][new][]", upload(bytesOf("red.png"), `${index}.png`));
        const headers = { ...ann, "x-csrf-token": token };
        return (await client.request(path, { method: "POST", body, headers })).status;
      };
      const statuses = await Promise.all(Array.from({ length: 9 }, (_, index) => add(index)));
      assert.equal([...statuses].sort(), [
        ...Array.from({ length: 5 }, () => 303),
        ...Array.from({ length: 4 }, () => 422),
      ]);
      assert.is((await photosOf(path)).length, 5);
      await serviceOf(app).drain();
      assert.is((await rows({ field: "photos", owner_id: "" })).length, 0);
    });
    can("A file that was detached before its record was deleted does not come back with it", async () => {
      const { path } = await create([
        ["shipment[photos][new][]", upload(bytesOf("red.png"), "a.png")],
        ["shipment[photos][new][]", upload(bytesOf("red.png"), "b.png")],
      ]);
      const client = app.client();
      const send = async (page: string, form: RegExp, fields: Record<string, string>) => {
        const html = await (await client.request(page, { headers: ann })).text();
        const token = /name="csrf-token" content="([^"]*)"/.exec(html)![1]!;
        const headers = { ...ann, "x-csrf-token": token };
        await client.request(form.exec(html)?.[1] ?? page, {
          method: "POST",
          body: new URLSearchParams(fields),
          headers,
        });
      };
      const [first] = await rows({ owner_id: path.split("/").at(-1), field: "photos" });
      await serviceOf(app).detach(first as never);
      await send(path, /<form action="(none)"/, { _method: "delete" });
      await send(list, /<form[^>]*action="([^"]*\/undo)"/, {});
      assert.equal(
        (await photosOf(path)).map(({ name }) => name),
        ["b.png"],
      );
    });
    can(
      "Files of a record that the database deleted are found by the sweep, and a record that gets its key has none of them",
      async () => {
        const { path } = await create([["shipment[photos][new][]", upload(bytesOf("red.png"), "a.png")]]);
        const id = path.split("/").at(-1)!;
        const { knex } = databaseOf(app.application);
        const stored = await knex("shipments").where({ id }).first();
        await knex("shipments").where({ id }).delete();
        await serviceOf(app).sweep();
        await knex("shipments").insert(stored);
        assert.equal(await photosOf(path), []);
        const [row] = await rows({ owner_id: id });
        assert.is(row!.detached_at === null, false);
      },
    );
    can("A duplicate gets copies of the files that it is not told to leave out", async () => {
      const { path } = await create([
        ["shipment[photos][new][]", upload(bytesOf("red.png"), "a.png")],
        ["shipment[photos][new][]", upload(bytesOf("red.gif"), "b.gif")],
        ["shipment[plan][new][]", upload("plan", "plan.txt")],
      ]);
      const [first] = await photosOf(path);
      await patch(path, { photos: [{ id: first!.id, alternative: "Red" }, { id: (await photosOf(path))[1]!.id }] });
      const client = app.client();
      const saved = await sendForm(client, { page: `${path}/duplicate`, headers: ann }, [
        ["shipment[photos][kept][k1][remove]", "1"],
      ]);
      assert.is(saved.status, 303);
      const copy = saved.headers.get("location")!;
      assert.equal(
        (await photosOf(copy)).map(({ name, alternative }) => [name, alternative]),
        [["a.png", "Red"]],
      );
      const plan = (await read(copy)).plan as Row;
      await edit(path, [[`shipment[plan][stored][f${((await read(path)).plan as Row).id}][remove]`, "1"]]);
      assert.is((await read(path)).plan, null);
      assert.is(await (await app.request(plan.url, { headers: ann })).text(), "plan");
    });
    can("Code reads, attaches and detaches files; what is attached in a transaction goes with it", async () => {
      const { path } = await create([]);
      const Shipment = databaseOf(app.application)
        .models()
        .find(({ constant }) => constant === "Shipment")!.class;
      const record = (await databaseOf(app.application)
        .query(Shipment)
        .findById(Number(path.split("/").at(-1)))) as never;
      const service = serviceOf(app);
      const file = await service.attach(
        record,
        "photos",
        { filename: "../a.png", bytes: bytesOf("red.png") },
        { alternative: "A" },
      );
      assert.equal([file.name, file.type, file.in_place, file.position], ["a.png", "image/png", true, 0]);
      await service.attach(record, "photos", {
        filename: "b.png",
        stream: Readable.from([bytesOf("red.jpg")]),
        size: bytesOf("red.jpg").length,
      });
      assert.equal(
        (await service.of(record, "photos")).map(({ name, type }) => [name, type]),
        [
          ["a.png", "image/png"],
          ["b.png", "image/jpeg"],
        ],
      );
      assert.ok(bytesOf("red.png").equals(Buffer.concat(await (await service.stream(file)).toArray())));
      await service.detach(file);
      assert.equal(
        (await service.of(record)).map(({ name }) => name),
        ["b.png"],
      );
    });
    can("An export has the names of the files", async () => {
      await create([
        ["shipment[photos][new][]", upload(bytesOf("red.png"), "a.png")],
        ["shipment[photos][new][]", upload(bytesOf("red.gif"), "b,c.gif")],
        ["shipment[plan][new][]", upload("plan", "plan.txt")],
      ]);
      const csv = await (await app.request(`${list}/export.csv`, { headers: ann })).text();
      const line = csv.split("\n").find((one) => one.includes("b,c.gif"))!;
      assert.match(line, "plan.txt");
      assert.match(line, '"a.png, b,c.gif"');
      assert.not.match(csv, "[object");
    });
    can(
      "What code attaches in a transaction is there once that commits, and leaves no bytes where it is undone",
      async () => {
        const { path } = await create([]);
        const database = databaseOf(app.application);
        const Shipment = database.models().find(({ constant }) => constant === "Shipment")!.class;
        const record = (await database.query(Shipment).findById(Number(path.split("/").at(-1)))) as never;
        const [service, storage] = [serviceOf(app), app.application.kernel.service("storage")];
        const attach = (name: string, fails: boolean) =>
          database.transaction(async (transaction) => {
            const file = await service.attach(
              record,
              "photos",
              { filename: name, bytes: bytesOf("red.png") },
              { transaction },
            );
            const within = await service.of(record, "photos", transaction);
            assert.equal(
              within.map((one) => one.name),
              [name],
            );
            if (fails) throw Object.assign(new Error("undone"), { file });
            return file;
          });
        const undone = (await attach("a.png", true).catch((error: unknown) => error)) as {
          file: { storage_key: string };
        };
        const kept = await attach("b.png", false);
        for (let turn = 0; turn < 100 && (await storage.exists(undone.file.storage_key)); turn++) await sleep(20);
        assert.is(await storage.exists(undone.file.storage_key), false);
        assert.is(await storage.exists(kept.storage_key), true);
        assert.equal(
          (await service.of(record)).map(({ name }) => name),
          ["b.png"],
        );
      },
    );
    can("A program sends files as parts of a form, one by its name and several as a list", async () => {
      const client = app.client();
      const html = await (await client.request(list, { headers: ann })).text();
      const token = /name="csrf-token" content="([^"]*)"/.exec(html)![1]!;
      const headers = { ...ann, accept: "application/json", "x-csrf-token": token };
      const body = new FormData();
      body.append("shipment[reference]", "PROGRAM");
      body.append("shipment[plan]", upload("plan", "plan.txt"));
      for (const name of ["a.png", "b.png"]) body.append("shipment[photos][]", upload(bytesOf("red.png"), name));
      const created = await client.request(list, { method: "POST", body, headers });
      assert.is(created.status, 201);
      const path = created.headers.get("location")!;
      const more = new FormData();
      more.append("shipment[photos][]", upload(bytesOf("red.gif"), "c.gif"));
      more.append("_method", "patch");
      const updated = await client.request(path, { method: "POST", body: more, headers });
      const { data } = (await updated.json()) as { data: { plan: Row; photos: Row[] } };
      assert.equal([data.plan.name, ...data.photos.map(({ name }) => name)], ["plan.txt", "a.png", "b.png", "c.gif"]);
      const wrong = new FormData();
      for (const name of ["1.txt", "2.txt"]) wrong.append("shipment[plan][]", upload("x", name));
      wrong.append("_method", "patch");
      assert.is((await client.request(path, { method: "POST", body: wrong, headers })).status, 422);
    });
  });
}
