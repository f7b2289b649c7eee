import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Schema } from "framewright/plugins/database";
import { addTrash, removeTrash } from "framewright/plugins/trash";
import { examineIndexes } from "../../../plugins/trash/unique_indexes.ts";
import { ensureBuilt, fwOk, newApp, runFw } from "../../generators/support.ts";
import { withPlugin } from "../../support/fixtures.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import {
  ann,
  attachmentFiles,
  cat,
  configWith,
  list,
  openAttachments,
  sendForm,
  serviceOf,
  upload,
} from "../attachments/attachments_app.ts";
import { openTenants, tenantFiles } from "../scoping/tenants.ts";
import { trashFiles } from "./trash_app.ts";

const policy = "app/policies/shipment_policy.ts";
const json = { accept: "application/json", "content-type": "application/json" };
const refused = async (changes: Record<string, string>): Promise<string> => {
  try {
    await (await openTenants({ ...trashFiles(), ...changes })).close();
    return "";
  } catch (error) {
    return `${(error as { code?: string }).code}: ${(error as Error).message}`;
  }
};

describe("The trash and what it is built into", (it) => {
  it("Files stay while their record is in the trash, come back with it, and go when it is purged", async () => {
    const app = await openAttachments({
      "plugins.config.ts": configWith("trash()", "trash"),
      "app/models/shipment.ts": attachmentFiles["app/models/shipment.ts"]!.replace("{", "{").replace(
        /extends Model\("shipments" as never\) \{/,
        "$& static softDelete = true;",
      ),
      [policy]: attachmentFiles[policy]!.replace(/\}\s*$/, "canPurge() { return true; }\n}\n"),
      "db/migrate/20260501000000_add_trash.ts": `import { addTrash } from "framewright/plugins/trash";
export async function up(db) { await addTrash(db, "shipments", { within: ["organization_id"] }); }
export async function down() {}`,
    });
    try {
      const client = app.client();
      await sendForm(client, { page: `${list}/1001/edit`, headers: ann }, [
        ["shipment[papers][new][]", upload("a paper", "paper.txt")],
      ]);
      const { knex } = databaseOf(app.application);
      const files = () => knex("framewright_attachments").where({ owner_id: "1001" }).select("detached_at");
      assert.is((await files()).length, 1);
      const change = async (path: string, body?: object) =>
        (
          await app.request(path, {
            method: body ? "POST" : "DELETE",
            headers: { ...cat, ...json },
            ...(body ? { body: JSON.stringify(body) } : {}),
          })
        ).status;
      assert.is(await change(`${list}/1001`), 204);
      await serviceOf(app).sweep();
      assert.equal(
        (await files()).map(({ detached_at }) => detached_at),
        [null],
      );
      assert.is((await app.request(`${list}/1001/files/papers`, { headers: ann })).status, 404);
      assert.is(await change(`${list}/trash.json`, { operation: "restore", ids: [1001] }), 200);
      assert.is(
        (await app.request(`${list}/1001/files/papers`, { headers: { ...ann, accept: "application/json" } })).status,
        200,
      );
      assert.is(await change(`${list}/1001`), 204);
      assert.is(await change(`${list}/trash.json`, { operation: "purge", ids: [1001] }), 200);
      assert.ok((await files()).every(({ detached_at }) => detached_at !== null));
      assert.is(await knex("shipments").where({ id: 1001 }).first(), undefined);

      const db = new Schema(knex); // a conflict with a value that only the trash has is none
      await db.addColumns("shipments", (t) => void t.string("mark_text").unique());
      await addTrash(db, "shipments");
      await databaseOf(app.application).link();
      const { class: Shipment } = databaseOf(app.application).model("Shipment");
      const { id: _, ...stored } = (await knex("shipments").where({ organization_id: 2 }).first()) as Record<
        string,
        unknown
      >;
      const write = () =>
        Shipment.query()
          .insert({ ...stored, mark_text: "R", reference: "W-1" } as never)
          .onConflict("mark_text")
          .merge();
      const count = async () => (await knex("shipments").where({ mark_text: "R" })).length;
      await write();
      await write();
      assert.is(await count(), 1);
      await Shipment.query().where("mark_text", "R").delete();
      await write();
      assert.is(await count(), 2);
    } finally {
      await app.close();
    }
  });

  it("What could not come back whole, and what has no plugin, is refused at boot with what to do", async () => {
    const { "plugins.config.ts": config } = tenantFiles;
    assert.match(
      await refused({ "plugins.config.ts": config! }),
      /FW_MODEL_PLUGIN: .* has static softDelete.* Add trash\(\) to plugins.config.ts/,
    );
    const plain = withPlugin(config!, "trash()", "trash");
    const without = { "plugins.config.ts": plain, "app/models/comment.ts": tenantFiles["app/models/comment.ts"]! };
    assert.match(await refused(without), /FW_TRASH_CHILD: Post .* those of Comment/);
    const post = trashFiles()["app/models/post.ts"]!;
    const hooked = post.replace("static softDelete", "override async $beforeDelete() {} static softDelete");
    assert.match(
      await refused({ "plugins.config.ts": plain, "app/models/post.ts": hooked }),
      /FW_TRASH_HOOK: Post .*\$beforeDelete/,
    );
    const note = tenantFiles["app/models/note.ts"]!.replace(
      "static override",
      "static softDelete = true; static override",
    );
    assert.match(await refused({ "app/models/note.ts": note }), /FW_TRASH_COLUMNS: Note .* fw generate fw:trash Note/);
    await throwsCode("FW_OPTION_INVALID", async () =>
      (await import("framewright/plugins/trash")).trash({ purgeAfter: { days: 0 } }),
    );
  });

  it("Left out, nothing of it is there: no route, text or part of a page", async () => {
    const app = await openTenants();
    try {
      assert.not.match(await (await app.request("/customer/1/posts", { headers: ann })).text(), /posts\/trash/);
      assert.is((await app.request("/customer/1/posts/trash", { headers: ann })).status, 404);
      assert.is(app.application.kernel.service("i18n").has("resource.trash.title"), false);
    } finally {
      await app.close();
    }
  });

  it("Its columns and indexes are added again and taken away, and doctor names a unique index that counts the trash", async () => {
    const app = await openTenants(trashFiles());
    try {
      const { knex } = databaseOf(app.application);
      const db = new Schema(knex);
      await db.addColumns("posts", (t) => void t.string("reference").unique());
      const findings = async () =>
        examineIndexes(databaseOf(app.application), [databaseOf(app.application).model("Post")]);
      assert.match(JSON.stringify(await findings()), "posts_reference_unique");
      await addTrash(db, "posts", { within: ["organization_id"] });
      await addTrash(db, "posts", { within: ["organization_id"] });
      assert.equal(
        (await findings()).map(({ ok }) => ok),
        [true],
      );
      await knex("posts").where({ id: 1 }).update({ deleted_at: "2026-01-01 00:00:00.000" });
      await throwsCode("FW_TRASH_FULL", () => removeTrash(db, "posts"));
      await knex("posts").update({ deleted_at: null });
      await removeTrash(db, "posts");
      assert.is(await db.hasColumn("posts", "deleted_at"), false);
      await knex("posts").where({ id: 1 }).update({ reference: "A" });
      assert.match(
        String(
          await knex("posts")
            .where({ id: 2 })
            .update({ reference: "A" })
            .catch((error: Error) => error.message),
        ),
        /unique/i,
      );
    } finally {
      await app.close();
    }
  });

  it("The generator writes the migration and the model, which boot", async () => {
    await ensureBuilt();
    const root = await newApp();
    await fwOk(root, "g", "fw:res:scaffold", "Post", "title:string", "slug:string:uniq");
    await fwOk(root, "g", "fw:install", "trash");
    await fwOk(root, "g", "fw:trash", "Post");
    assert.match(readFileSync(join(root, "app/models/post.ts"), "utf8"), "static softDelete = true;");
    assert.match(readFileSync(join(root, "plugins.config.ts"), "utf8"), "trash()");
    await fwOk(root, "db:migrate");
    const { code, out, err } = await runFw(root, "routes");
    assert.is(code, 0, err);
    assert.match(out + err, /./);
    const written = readdirSync(join(root, "db/migrate")).filter((name) => /add_trash_to_posts/.test(name));
    assert.is(written.length, 1);
    await fwOk(root, "db:rollback");
  });
});
