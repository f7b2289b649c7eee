import type { Finding } from "framewright/host";
import type { Database } from "framewright/plugins/database";
import { isApiClientClass } from "./api_client.ts";

const OPTIONAL = { scopes: "scopes:text?", expires_at: "expires_at:datetime?" } as const;

/** What tables of API clients may have besides, for `fw doctor`: keys work without it as well. */
export function examineApiClients(database: Database): Finding[] {
  return database.models().flatMap(({ class: cls, constant, table, columns }) => {
    if (!isApiClientClass(cls)) return [];
    const lacking = Object.entries(OPTIONAL).filter(([name]) => !columns.has(name));
    const fields = lacking.map(([, field]) => field).join(" ");
    const detail =
      lacking.length === 0
        ? "keys may have scopes and an expiry"
        : `keys do all that their roles permit. For ${lacking.map(([name]) => name).join(" and ")}, optional: npx fw g fw:migration add_scopes_to_${table} ${fields}, then npx fw db:migrate`;
    return [{ what: `API clients ${constant}`, ok: true, detail }];
  });
}
