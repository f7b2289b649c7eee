import { type BackupFormat, checkDump, runTool } from "framewright/plugins/database";
import { parseAddress } from "./address.ts";
import { environmentOf } from "./dump.ts";

const install = "apt-get install postgresql-client, in the server's version";
const LAST_LINE = "-- PostgreSQL database dump complete";

/** Everything but extensions, which the server brings and others may own. */
const dropAll = `do $drop$
declare one record;
begin
  for one in select nspname from pg_namespace n where nspname !~ '^pg_' and nspname not in ('information_schema', 'public')
    and not exists (select from pg_depend d where d.objid = n.oid and d.deptype = 'e') loop
    execute format('drop schema %I cascade', one.nspname);
  end loop;
  for one in select c.oid::regclass as name, c.relkind as kind from pg_class c where c.relnamespace = 'public'::regnamespace
    and c.relkind in ('r', 'p', 'v', 'm', 'f')
    and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e') loop
    if to_regclass(one.name::text) is not null then
      execute format('drop %s if exists %s cascade', case one.kind when 'v' then 'view' when 'm' then 'materialized view' when 'f' then 'foreign table' else 'table' end, one.name);
    end if;
  end loop;
  for one in select c.oid::regclass as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'S' loop
    execute format('drop sequence if exists %s cascade', one.name);
  end loop;
  for one in select p.oid::regprocedure as name from pg_proc p where p.pronamespace = 'public'::regnamespace
    and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e') loop
    execute format('drop routine if exists %s cascade', one.name);
  end loop;
  for one in select t.oid::regtype as name from pg_type t where t.typnamespace = 'public'::regnamespace and t.typtype in ('e', 'd', 'r')
    and not exists (select from pg_depend d where d.objid = t.oid and d.deptype = 'e') loop
    execute format('drop type if exists %s cascade', one.name);
  end loop;
end $drop$`;

/** By the programs that come with the server. A restore is one transaction: one that fails leaves what was there. */
export const postgresBackup: BackupFormat = {
  extension: "sql",
  nameOf: ({ url }) => parseAddress(url).database,
  async save({ url }, file) {
    const args = ["--no-owner", "--no-privileges", "--no-comments"];
    await runTool({ names: ["pg_dump"], install, args, env: environmentOf(parseAddress(url)), output: file });
  },
  check: async (_, file) => checkDump(file, LAST_LINE),
  async restore({ url }, file) {
    const quiet = ["--quiet", "--no-psqlrc", "--set=ON_ERROR_STOP=1", "--output=/dev/null"];
    const args = [...quiet, "--single-transaction", `--command=${dropAll}`, "--file=-"];
    const own = { PGTARGETSESSIONATTRS: "read-write", PGOPTIONS: "-c client_min_messages=error" };
    await runTool({
      names: ["psql"],
      install,
      args,
      env: { ...environmentOf(parseAddress(url)), ...own },
      input: file,
    });
  },
};
