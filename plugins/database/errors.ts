import { didYouMean, errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_DATABASE_KNEX: () =>
    "this version of knex keeps the conditions of a query otherwise than queries of tenants rely on. Install the version of knex that framewright's package.json names.",
  FW_DATABASE_URL: (
    url: string,
    form = "sqlite:storage/app.sqlite3, sqlite::memory: or mysql://user:password@host/name",
  ) => `DATABASE_URL "${url}" is not understood. Write ${form}.`,
  FW_TABLE_PREFIX: (given: string) =>
    `database({ frameworkPrefix }) is "${given}". Write what names of tables can begin with, at most 12 lower-case letters, digits and underscores: "fw_".`,
  FW_TABLE_PREFIX_TAKEN: (prefix: string, tables: readonly string[]) =>
    `tables begin with "${prefix}" that are none of the framework's: ${tables.join(", ")}. Give database({ frameworkPrefix }) in plugins.config.ts another text, with which no table begins. Nothing was changed.`,
  FW_TABLE_PREFIX_MODEL: (prefix: string, model: string, table: string) =>
    `the table of ${model} is "${table}", and names that begin with "${prefix}" are those of the framework's own tables. Give database({ frameworkPrefix }) in plugins.config.ts another text, with which no table begins.`,
  FW_TABLE_PREFIX_CHANGED: (prefix: string) =>
    `this application's migrations have run, and their table is called framewright_migrations, not ${prefix}migrations. Rename each table framewright_NAME to ${prefix}NAME, or take frameworkPrefix out of plugins.config.ts. Nothing was changed.`,
  FW_DATABASE_HOSTS: (why: string) =>
    `the hosts of DATABASE_URL are not understood: ${why}. Write mysql://user:password@db1:3306,db2:3306/name, and ?hosts=spread for each process to begin at a random one.`,
  FW_DATABASE_REPLICAS: (why: string) =>
    `DATABASE_REPLICA_URLS can't be used: ${why}. Write mysql://user:password@db2:3306/name, with a comma before each further one, for replicas of the one MySQL or MariaDB in DATABASE_URL; or leave it out.`,
  FW_DATABASE_DRIVERS: (scheme: string, names: readonly string[]) =>
    `the drivers ${names.map((name) => `"${name}"`).join(" and ")} open "${scheme}:", with which DATABASE_URL begins. Take one of their plugins out of plugins.config.ts.`,
  FW_DATABASE_DRIVER: (scheme: string, schemes: readonly string[]) =>
    `no driver opens "${scheme}:", with which DATABASE_URL begins; there are ${schemes.map((one) => `${one}:`).join(", ")}. Fix the scheme, or add the plugin of its driver to plugins.config.ts.`,
  FW_SQLITE_MISSING: (node: string, wanted: "node" | "libsql" | undefined) =>
    wanted === "node"
      ? `DATABASE_SQLITE=node, and Node ${node} has no stable node:sqlite. Use Node 24.15 or later, or leave DATABASE_SQLITE out.`
      : `nothing opens SQLite here: the package "libsql" is not installed for this system, and ${wanted ? "DATABASE_SQLITE=libsql asks for it" : `Node ${node} has no stable node:sqlite`}. Use Node 24.15 or later, install it: npm install libsql, or name a server in DATABASE_URL.`,
  FW_DATABASE_COPY: (what: string) => `the database could not be copied: ${what}.`,
  FW_BACKUP_DRIVER: (driver: string) =>
    `the driver "${driver}" makes no backups. Copy what it stores while no process uses it, or use a database whose driver does.`,
  FW_BACKUP_OTHER: () =>
    "a plugin connects the application to another database than DATABASE_URL. Back that one up by its own programs.",
  FW_BACKUP_FAILED: (why: string) => `the database could not be backed up: ${why}. Nothing was written.`,
  FW_BACKUP_TOOL: (names: readonly string[], install: string) =>
    `${names.join(" or ")} is not installed, and is needed here. Run: ${install}.`,
  FW_RESTORE_FILE: (file: string, why: string) =>
    `${file} is no backup that can be restored: ${why}. Nothing was changed.`,
  FW_RESTORE_IN_USE: (why: string) =>
    `the database is in use: ${why}. Stop the application, its jobs and its consoles, then restore. Nothing was changed.`,
  FW_RESTORE_FAILED: (why: string) =>
    `the backup could not be restored: ${why}. Restore the file that was saved before it, once that is fixed.`,
  FW_DATABASE_EMPTY: (what: string) =>
    `no empty database could be created for the test beside the one in DATABASE_URL: ${what}. Or name a database that the test may write to: openTestApplication({ database }).`,
  FW_DATABASE_AWAY: (message: string) => `the database does not answer: ${message}. Start it, or fix DATABASE_URL.`,
  FW_DATABASE_BUSY: (message: string) =>
    `no connection to the database came free: ${message}. Raise database({ pool }), or pass the transaction on, as in database.query(Post, trx).`,
  FW_DATABASE_UNWRITABLE: (message: string) =>
    `the database can't be written: ${message}. Free its disk, or let it be written again.`,
  FW_DATABASE_LOCKED: (message: string) =>
    `another transaction held a lock for too long: ${message}. Keep transactions short, and let them take their locks in one order.`,
  FW_DATABASE_SLOW: (message: string) =>
    `the database did not finish a statement in time: ${message}. Make it faster, as by an index, or raise database({ statementTimeout }).`,
  FW_TRANSACTION_LATE: (by: string, milliseconds: number) =>
    `a transaction of ${by} was not over after ${milliseconds} ms, and was rolled back: it awaits something that does not come. Await nothing but its own queries inside transaction().`,
  FW_TRANSACTION_LOST: () =>
    `inside transaction() a query ran without it, and would wait for it, or not see what it wrote. Pass the transaction on, as in database.query(Post, trx).`,
  FW_DATABASE_PRIVATE: (packageName: string, what: string) =>
    `this version of "${packageName}" does not have ${what}, which Framewright builds on. Install the version that its package.json names: npm install.`,
  FW_DATABASE_CLOSED: () =>
    "the database was used before the application had booted or after it had closed. Query it in a request or in the boot hook.",
  FW_MODEL_PLUGIN: (constant: string, name: string, line: string, module: string) =>
    `${constant} has static ${name}, on which no plugin acts. Add ${line} to plugins.config.ts, imported from "${module}".`,
  FW_MODEL_UNKNOWN: (name: string, suggestion: string | undefined) =>
    `no model is called "${name}".${didYouMean(suggestion)} A model is the default export of a file below app/models.`,
  FW_MODEL_TABLE: (name: string) =>
    `the model "${name}" names no table. Write: class ${name.replace(/.*::/, "")} extends Model("table_name").`,
  FW_MODEL_SHAPE: (name: string, what: string, given: string, suggestion: string | undefined) =>
    `the model "${name}" has ${what} for "${given}", which is no column.${didYouMean(suggestion)} Fix the name, or add the column in a migration.`,
  FW_MODEL_CURRENCY: (name: string, attribute: string, code: string) =>
    `the model "${name}" has the currency "${code}" for "${attribute}": currencies are of attributes of static money, by their codes of ISO 4217, as in static currencies = { price: "JPY" }.`,
  FW_PARAM_KEY: (model: string, column: string, table: string, why: string) =>
    `addresses of ${model} can't name a record by "${column}": the column of ${table} ${why}. It takes a column of strings, numbers or UUIDs.`,
  FW_PARAM_UNIQUE: (model: string, column: string, table: string, scope: readonly string[]) =>
    `addresses of ${model} can't name a record by "${column}": it is not unique. Add an index in a migration: await db.addIndex("${table}", ${JSON.stringify([...scope, column])}, { unique: true }).`,
  FW_SLUG_HISTORY: (model: string) =>
    `static slug of ${model} has history: true, and the table "framewright_slugs" does not exist. Run: fw generate fw:slugs:install, then fw db:migrate.`,
  FW_SLUG: (model: string, why: string) =>
    `static slug of ${model} ${why}. It is { from: "title", scope: "organization", onUpdate: true, history: true }, of which only "from" is needed, beside static paramKey = "slug", a column of strings.`,
  FW_TABLE_MISSING: (table: string, model: string) =>
    `the table "${table}" of the model "${model}" does not exist. Run: fw db:migrate`,
  FW_COLUMN_UNKNOWN: (model: string, column: string, suggestion: string | undefined) =>
    `"${model}" has no column "${column}".${didYouMean(suggestion)} Fix the name, or add the column in a migration.`,
  FW_COLUMN_IGNORED: (model: string, column: string, table: string) =>
    `the model "${model}" ignores the column "${column}" of "${table}", which is not null and has no default: none of its records could be inserted. Give it a default, or let it be null, in a migration.`,
  FW_COLUMN_VALUE: (column: string, expected: string, got: string) =>
    `"${column}" takes ${expected}, got ${got}. Convert the value before it is written.`,
  FW_ASSOCIATION_TARGET: (
    model: string,
    association: string,
    tried: readonly string[],
    suggestion: string | undefined,
  ) =>
    `the association "${association}" of "${model}" leads to no model; tried ${tried.join(", ")}.${didYouMean(suggestion)} Say which with { class: "…" }.`,
  FW_ASSOCIATION_KEY: (model: string, association: string, table: string, column: string) =>
    `the association "${association}" of "${model}" needs the column "${column}" in "${table}", and it is not there. Add it in a migration, or say which with { foreignKey: "…" }.`,
  FW_ASSOCIATION_KEY_TYPE: (
    model: string,
    association: string,
    column: string,
    type: string,
    key: { id: string; type: string },
  ) =>
    `the association "${association}" of "${model}" can't work: ${column} is of the type ${type}, and ${key.id}, to which it refers, of the type ${key.type}. Create the column with t.belongsTo(…, { type: "${key.type === "uuid" || key.type === "string" ? key.type : "number"}" }).`,
  FW_ASSOCIATION_THROUGH: (model: string, association: string, through: string, suggestion: string | undefined) =>
    `the association "${association}" of "${model}" goes through "${through}", which "${model}" does not have.${didYouMean(suggestion)} Add it to its associations.`,
  FW_ASSOCIATION_PART: (model: string, association: string, through: string, target: string) =>
    `the association "${association}" of "${model}" goes through "${through}", which leads to "${target}", a part of its table. Go through an association to the class that declares static inheritance.`,
  FW_TYPE_UNKNOWN: (table: string, column: string, value: string, id: unknown, suggestion: string | undefined) =>
    `the row ${id === undefined ? "without an id" : String(id)} of ${table} has "${value}" in "${column}", which is no model of that table.${didYouMean(suggestion)} Correct the row, or add the class: its name is that of the file below app/models.`,
  FW_ASSOCIATION_SOURCE: (model: string, association: string, target: string, tried: readonly string[]) =>
    `the association "${association}" of "${model}" finds none of ${tried.join(", ")} in "${target}". Say which with { source: "…" }.`,
  FW_POLYMORPHIC: (model: string, association: string, why: string) =>
    `the polymorphic association "${association}" of "${model}" ${why}. It is belongsTo({ polymorphic: ["Post", "Photo"] }), with the columns ${association}_type and ${association}_id.`,
  FW_POLYMORPHIC_COLUMNS: (
    model: string,
    association: string,
    { table, keyColumn, typeColumn, column }: Record<"table" | "keyColumn" | "typeColumn" | "column", string>,
  ) =>
    `the polymorphic association "${association}" of "${model}" needs the columns "${typeColumn}" and "${keyColumn}" in "${table}", and "${column}" is not there. Create both in a migration: t.polymorphic("${association}").`,
  FW_POLYMORPHIC_PART: (model: string, association: string, target: string, root: string) =>
    `the polymorphic association "${association}" of "${model}" names "${target}", a part of its table. Name "${root}", of which its records are stored.`,
  FW_POLYMORPHIC_AS: (model: string, association: string, target: string, as: string, own: string) =>
    `the association "${association}" of "${model}" is as "${as}", and "${target}" has no polymorphic association of that name that lists "${own}". Add it there: ${as}: belongsTo({ polymorphic: ["${own}"] }).`,
  FW_POLYMORPHIC_DEPENDENT: (model: string, association: string, target: string) =>
    `the association "${association}" of "${model}" does not say what becomes of records of ${target} when theirs is deleted, and no foreign key can. Add dependent: "destroy", "nullify" or "restrict".`,
  FW_POLYMORPHIC_THROUGH: (model: string, association: string, trail: readonly string[]) =>
    `${trail.at(-1) ?? "an association"} goes through "${association}" of "${model}", which is polymorphic: its records are of several models. Go through an association with one of them.`,
  FW_ASSOCIATION_CYCLE: (model: string, association: string) =>
    `the association "${association}" of "${model}" goes through itself. Fix its through.`,
  FW_ASSOCIATION_COMPOSITE: (model: string, association: string, target: string, key: readonly string[]) =>
    `the association "${association}" of "${model}" needs as many columns as identify a record of "${target}", which are ${key.join(", ")} together. Name them in that order, { foreignKey: ["…", "…"] }; a polymorphic association has one column for it, and can't lead there.`,
  FW_ASSOCIATION_NULLIFY: (model: string, association: string, table: string, columns: readonly string[]) =>
    `the association "${association}" of "${model}" has dependent: "nullify", and none of ${columns.join(", ")} in "${table}" can be emptied: each is needed by another association or the key, or takes no null. Say "destroy" or "restrict".`,
  FW_ASSOCIATION_KEYLESS: (model: string, association: string, target: string) =>
    `the association "${association}" of "${model}" needs a key of "${target}", which has static idColumn = []: its rows are listed, and none is found or deleted by itself. Name the column of its key, or take away the association or its dependent: "destroy".`,
  FW_ASSOCIATION_NAME: (model: string, association: string) =>
    `the association "${association}" of "${model}" has the name of a column. Name it otherwise.`,
  FW_COLUMN_OMITTED: (model: string, column: string) =>
    `"${column}" of a ${model} was not read, since the list neither shows it nor is sorted by it, and no policy, condition or label of the resource reads whole records. Find the record by its id.`,
  FW_ROWS_ASSOCIATION: (model: string, association: string) =>
    `rows of "${model}" can't be read along "${association}": it is no belongsTo of a column, or its model needs its records. Read records.`,
  FW_VALIDATION_UNKNOWN: (model: string, attribute: string, rule: string, suggestion: string | undefined) =>
    `the model "${model}" validates "${attribute}" by "${rule}", and there is no such rule.${didYouMean(suggestion)} A rule of your own is a function: custom: (value, record) => "message".`,
  FW_UNIQUENESS_COLUMN: (model: string, attribute: string, column: string, suggestion: string | undefined) =>
    `the model "${model}" asks "${attribute}" to be unique by "${column}", which is no column of its table and no belongsTo.${didYouMean(suggestion)} Name a column, or an association that has its key in this table.`,
  FW_CHANGE_MODEL: (plugin: string, name: string) =>
    `the plugin "${plugin}" taps the changes of ${name}, which is no model of this application. Give the class of a model: changing.for(Post).`,
  FW_CHANGE_CONFLICT: (model: string) =>
    `onConflict() on ${model} does not name the columns that conflict, has no value for them, or has conditions, and a plugin hears of the changes of ${model}. Write onConflict("email").merge() or .ignore() without where(), or findOrCreate(${model}, keys, values).`,
  FW_CHANGE_CASCADE: (model: string, most: number) =>
    `deleting records of ${model} would take more than ${most} others with it by the rules of their foreign keys, and a plugin hears of each. Delete those in parts first.`,
  FW_CONFINED_MERGE: (model: string) =>
    `onConflict().merge() on ${model} would change the record that is there already, which may be another tenant's. Say ignore(), or look for the record and patch it; unscopedQuery(${model}) reaches all tenants.`,
  FW_CONFINED_GRAPH: (model: string, association: string) =>
    `withGraphJoined on ${model} follows "${association}" without an end, which can't be kept within a tenant. Say withGraphFetched, or how far.`,
  FW_ENCRYPTED_SECRET: (model: string) =>
    `the model "${model}" has static encrypts, and there is no secret to encrypt by. Set SECRET_KEY_BASE.`,
  FW_ENCRYPTED_OPTION: (
    model: string,
    name: string,
    option: string,
    suggestion: string | undefined,
    known: readonly string[],
  ) =>
    `the model "${model}" encrypts "${name}" with the unknown option "${option}".${didYouMean(suggestion)} There are: ${known.join(", ")}.`,
  FW_ENCRYPTED_COLUMN: (model: string, name: string, why: string) =>
    `the model "${model}" encrypts "${name}", which ${why}.`,
  FW_ENCRYPTED_VALUE: (table: string, column: string, id: unknown) =>
    `the value of ${table}.${column} in the row ${id === undefined ? "without an id" : String(id)} does not open: it is not encrypted, was moved there, or depends on a secret that is not configured. Run fw db:encrypt, or add its secret to SECRET_KEY_BASE_PREVIOUS.`,
  FW_ENCRYPTED_QUERY: (model: string, name: string, what: string) =>
    `"${name}" of ${model} is ${what}, and no query can compare it so. Only equality can be asked for, of attributes with encrypts: { ${name}: { searchable: true } }: whereEncrypted(query, "${name}", value).`,
  FW_ENCRYPTED_MODEL: (name: string, suggestion: string | undefined) =>
    `no model "${name}" has encrypted columns.${didYouMean(suggestion)} Declare them: static override encrypts = { ssn: {} }.`,
  FW_ENCRYPTED_LEFT: () =>
    "the values are encrypted, but another process uses the database, so that its file may still have what was overwritten. Stop the application, and run fw db:encrypt again.",
  FW_MIGRATION_NAME: (file: string) =>
    `"${file}" is not a migration's name. Call it <timestamp>_<name>.ts, as in 20260131120000_create_posts.ts.`,
  FW_MIGRATION_DUPLICATE: (first: string, second: string) =>
    `"${first}" and "${second}" have the same name. Rename one of the two.`,
  FW_MIGRATION_SHAPE: (file: string, missing: string) =>
    `the migration "${file}" exports no function "${missing}". Export async function ${missing}(db: Schema).`,
  FW_MIGRATION_FAILED: (name: string, direction: string, message: string) =>
    `the migration "${name}" failed going ${direction}: ${message}. Fix it and run fw db:migrate again.`,
  FW_MIGRATION_COLUMN: (table: string, column: string) =>
    `the migration adds "${column}" to "${table}" as not null and without a default, which the rows already there can't have. Give it .default(…), or leave .notNull() out.`,
  FW_MIGRATION_LENGTH: (name: string, most: number) =>
    `the name "${name}" in a migration has ${name.length} characters; the databases take ${most}. Give it a shorter one.`,
  FW_MIGRATION_GONE: (name: string) =>
    `the migration "${name}" was applied, and its file is gone. Bring the file back to roll it back.`,
  FW_MIGRATION_LOCKED: (seconds: number) =>
    `another process has been migrating this database for ${seconds} s. Wait for it, and run fw db:migrate again.`,
  FW_MIGRATION_LOCK_LOST: () =>
    "another process took over the lock of migrations, since this one did not renew it for 15 s: the process was stopped, or its database was away. Run fw db:migrate again.",
});
