/**
 * Runs once for each name under which the plugin is listed.
 * @param {import("framewright/plugins/database").Schema} db
 * @param {{ plugin: string }} context
 */
export async function up(db, { plugin }) {
  await db.createTable(`${plugin}_messages`, (t) => {
    t.id();
    t.string("text", 500).notNull();
  });
}

/**
 * @param {import("framewright/plugins/database").Schema} db
 * @param {{ plugin: string }} context
 */
export async function down(db, { plugin }) {
  await db.dropTable(`${plugin}_messages`);
}
