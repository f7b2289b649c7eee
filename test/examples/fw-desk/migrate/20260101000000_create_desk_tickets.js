/** @param {import("framewright/plugins/database").Schema} db */
export async function up(db) {
  await db.createTable("desk_tickets", (t) => {
    t.id();
    t.string("title").notNull();
    t.string("state", 20).notNull().default("open");
    t.bigint("tenant_id"); // null in an application without tenants
    t.timestamps();
    t.index(["tenant_id"]);
  });
}

/** @param {import("framewright/plugins/database").Schema} db */
export async function down(db) {
  await db.dropTable("desk_tickets");
}
