import { type Database, decodeDate } from "framewright/plugins/database";
import type { Erasure, Person, PersonalSource } from "framewright/plugins/personal_data";
import { offlineAuthlib } from "./create_accounts.ts";
import { PENDING_FORMS_TABLE } from "./pending_forms.ts";

const LOG = "authentication_audit_logs";
const MAX_ROWS = 200;

/** What features store of an account: its sign-ins and its log are exported; all is erased but the log, which keeps what happened when. */
export function accountSource(database: Database): PersonalSource {
  return {
    name: "account",
    async *rows({ type, account: { id } }) {
      const tables = new Set(await database.tables());
      const shown = [
        [type.table("active_session_keys"), "sign_in", ["created_at", "last_use", "address", "user_agent"]],
        [type.table("oidc_identities"), "connected_sign_in", ["provider", "email", "created_at", "last_use"]],
        [type.table("webauthn_keys"), "passkey", ["name", "created_at", "last_use"]],
        [type.table(LOG), "event", ["event", "at", "address", "metadata"]],
      ] as const;
      for (const [table, kind, columns] of shown)
        if (tables.has(table)) for await (const row of rowsOf(database, table, id, columns)) yield { kind, ...row };
    },
    async erase(erasure) {
      const { person, transaction } = erasure;
      const { type, account, login } = person;
      for (const table of ownTables(person))
        if (erasure.hasTable(table)) await transaction(table).where({ account_id: account.id }).delete();
      const forms = { account_type: type.name, account_id: account.id };
      await transaction(PENDING_FORMS_TABLE).where(forms).delete();
      const authlib = offlineAuthlib(type);
      if (login !== "") await authlib.unlockLogin(authlib.normalizeLogin(login), transaction);
      if (erasure.hasTable(type.table(LOG))) await anonymiseLog(erasure, type.table(LOG));
    },
  };
}

/** The tables of features with a row for an account. */
function ownTables({ type }: Person): string[] {
  const shared = [...type.features.values()].flatMap((feature) => feature.shared);
  const others = new Set([LOG, "login_failures", "lockouts", "otp_unlocks", ...shared].map((name) => type.table(name)));
  return type.tables.filter((table) => !others.has(table));
}

async function* rowsOf(database: Database, table: string, account_id: number, columns: readonly string[]) {
  let last = 0;
  for (;;) {
    const query = database.knex(table).where({ account_id }).where("id", ">", last).orderBy("id").limit(MAX_ROWS);
    const rows = await database.rows(query);
    for (const row of rows)
      yield Object.fromEntries(columns.map((name) => [name, isTime(name) ? decodeDate(row[name]) : row[name]]));
    if (rows.length < MAX_ROWS) return;
    last = Number(rows.at(-1)!.id);
  }
}
const isTime = (column: string): boolean => /(?:^|_)at$|^last_use$/.test(column);

/** What happened and when stays; from where, with which browser and for which login does not. */
async function anonymiseLog({ person, transaction }: Erasure, table: string): Promise<void> {
  const own = { account_id: person.account.id };
  await transaction(table).where(own).update({ address: null, metadata: null });
}
