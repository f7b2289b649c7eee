/** @param {import("framewright/plugins/database").Schema} db */
export async function up(db) {
  await db.createTable("audit_lines", (t) => {
    t.id();
    t.string("at", 24).notNull(); // as in 2026-01-31T12:00:00.000Z, the same on all databases
    t.string("kind", 10).notNull();
    t.string("model", 150).notNull();
    t.string("record", 100).notNull();
    for (const name of ["person", "portal", "wizard", "job", "tenant"]) t.string(name, 200);
    t.text("changes").notNull();
    t.index(["model", "record"]);
    t.index(["tenant"]);
    t.index(["at"]);
  });
}

/** @param {import("framewright/plugins/database").Schema} db */
export async function down(db) {
  await db.dropTable("audit_lines");
}
