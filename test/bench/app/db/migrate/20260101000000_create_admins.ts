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
    t.datetime("confirmed_at");
    t.string("confirmation_digest", 64);
    t.datetime("confirmation_deadline");
    t.integer("confirmation_tries").notNull().default(0);
    t.bigint("remember_key_id");
  });
  await db.createTable("framewright_held_forms", (t) => {
    t.id();
    t.string("key_digest", 64).notNull().unique();
    t.string("account_type", 100).notNull();
    t.bigint("account_id");
    t.text("payload").notNull();
    t.datetime("deadline").notNull().index();
  });
  await db.createTable("framewright_spent_keys", (t) => {
    t.id();
    t.string("key_digest", 64).notNull().unique();
    t.string("spender", 64).notNull();
    t.datetime("deadline").notNull().index();
  });
}
export async function down(_db: Schema): Promise<void> {}
