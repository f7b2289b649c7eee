/** @param {import("framewright/plugins/database").Schema} db */
export async function up(db) {
  await db.createTable("long_undo_deletions", (t) => {
    t.id();
    t.string("batch", 36).notNull();
    t.string("deleted_at", 24).notNull(); // as in 2026-01-31T12:00:00.000Z, the same on all databases
    t.string("resource", 150).notNull();
    t.string("portal", 100);
    t.string("tenant", 255);
    t.string("owner_type", 150).notNull();
    t.string("owner_id", 100).notNull();
    t.text("content").notNull();
    t.index(["owner_id", "resource"]);
    t.index(["batch"]);
    t.index(["deleted_at"]);
  });
}

/** @param {import("framewright/plugins/database").Schema} db */
export async function down(db) {
  await db.dropTable("long_undo_deletions");
}
