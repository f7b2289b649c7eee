/** @param {import("framewright/plugins/database").Schema} db */
export async function up(db) {
  await db.createTable("workdays_holidays", (t) => {
    t.id();
    t.date("day").notNull();
    t.string("name").notNull();
    t.bigint("tenant_id"); // null in an application without tenants
    t.timestamps();
    t.index(["tenant_id", "day"], { unique: true });
  });
}

/** @param {import("framewright/plugins/database").Schema} db */
export async function down(db) {
  await db.dropTable("workdays_holidays");
}
