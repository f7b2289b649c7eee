import type { Schema } from "framewright/plugins/database";

export async function up(db: Schema): Promise<void> {
  await db.createTable("admins", (t) => {
    t.id();
    t.string("email").notNull().unique();
    t.enum("account_status", ["unverified", "verified", "closed"]).notNull().default("verified");
    t.timestamps();
  });
  await db.createTable("admin_password_hashes", (t) => {
    t.id();
    t.belongsTo("account", { table: "admins", null: false, onDelete: "cascade", unique: true });
    t.string("password_hash").notNull();
    t.timestamps();
  });
  await db.createTable("admin_active_session_keys", (t) => {
    t.id();
    t.belongsTo("account", { table: "admins", null: false, onDelete: "cascade" });
    t.string("session_digest", 64).notNull().unique();
    t.string("factors", 100).notNull();
    t.string("user_agent");
    t.string("address", 45);
    t.datetime("created_at").notNull();
    t.datetime("last_use").notNull();
  });
}
export async function down(_db: Schema): Promise<void> {}
