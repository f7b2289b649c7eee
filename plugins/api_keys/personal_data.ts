import { type Database, decodeDate } from "framewright/plugins/database";
import type { PersonalSource } from "framewright/plugins/personal_data";
import { table } from "./features/api_keys/store.ts";

/** The keys of an account, without their digests. With the account's other credentials they are erased by authlib. */
export function keySource(database: Database): PersonalSource {
  return {
    name: "api_keys",
    async *rows({ type, account: { id } }) {
      if (!type.has("api_keys") || !(await database.tables()).includes(type.table(table))) return;
      const query = database.knex(type.table(table)).where({ account_id: id }).orderBy("id");
      for (const { name, scopes, expires_at, last_used_at, created_at } of await database.rows(query))
        yield {
          name,
          scopes,
          expires_at: decodeDate(expires_at),
          last_used_at: decodeDate(last_used_at),
          created_at: decodeDate(created_at),
        };
    },
  };
}
