/** @param {import("framewright/plugins/database").Schema} db */
export async function up(db) {
  await db.createTable("fw_sessions", (t) => {
    t.id();
    t.string("token_hash", 64).notNull().unique();
    t.text("data").notNull();
    t.bigint("started_at").notNull();
    t.bigint("seen_at").notNull();
    t.index(["seen_at"]);
  });
}

/** @param {import("framewright/plugins/database").Schema} db */
export async function down(db) {
  await db.dropTable("fw_sessions");
}
