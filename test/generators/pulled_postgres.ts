import type { PGlite } from "@electric-sql/pglite";

type Row = Record<string, unknown>;
/** What a database of PostgreSQL answers, on a server or in a folder. */
async function onPostgres<T>(url: string, work: (run: (sql: string) => Promise<Row[]>) => Promise<T>): Promise<T> {
  if (url.startsWith("pglite:")) {
    const library = await import("@electric-sql/pglite");
    const { citext } = await import("@electric-sql/pglite/contrib/citext");
    const database: PGlite = await library.PGlite.create(url.slice("pglite:".length), { extensions: { citext } });
    try {
      return await work(async (sql) => (await database.exec(sql)).at(-1)?.rows ?? []);
    } finally {
      await database.close();
    }
  }
  const { default: pg } = await import("pg");
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(async (sql) => {
      const answers = [await client.query(sql)].flat(); // a script has several
      return answers.at(-1)!.rows as Row[];
    });
  } finally {
    await client.end();
  }
}

/** Runs a script, without a setting that versions since 12 do not have. */
export const runPostgres = (url: string, script: string): Promise<unknown> =>
  onPostgres(url, (run) => run(script.replace(/^SET default_with_oids.*$/m, "")));

/** Columns, constraints, indexes and triggers of these tables, or of all, each a line. */
export async function postgresSchema(url: string, names?: readonly string[]): Promise<Record<string, string>> {
  const rows = await onPostgres(url, (run) =>
    run(`select c.relname || '.' || a.attname as name, format_type(a.atttypid, a.atttypmod) || ' ' || a.attnotnull || ' ' || coalesce(pg_get_expr(d.adbin, d.adrelid), '') as text, c.relname as own
           from pg_attribute a join pg_class c on c.oid = a.attrelid left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
           where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v') and a.attnum > 0
         union all select 'constraint ' || k.conname, pg_get_constraintdef(k.oid), c.relname from pg_constraint k join pg_class c on c.oid = k.conrelid where c.relnamespace = 'public'::regnamespace
         union all select 'index ' || indexname, indexdef, tablename from pg_indexes where schemaname = 'public'
         union all select 'trigger ' || tgname, pg_get_triggerdef(t.oid), c.relname from pg_trigger t join pg_class c on c.oid = t.tgrelid where not tgisinternal
         order by 1`),
  );
  const own = (rows as { name: string; text: string; own: string }[]).filter(
    (row) => !names || names.includes(row.own),
  );
  return Object.fromEntries(own.map(({ name, text }) => [name, text]));
}
