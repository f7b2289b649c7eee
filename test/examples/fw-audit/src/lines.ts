import type { Database, Transaction } from "framewright/plugins/database";
import type { AuditEntry, AuditFilter, AuditLine } from "./contract.ts";

type Row = Omit<AuditLine, "changes"> & { changes: string };

/** The table of lines. */
export class Lines {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async insert(entry: AuditEntry, transaction: Transaction): Promise<void> {
    await transaction("audit_lines").insert({ ...entry, changes: JSON.stringify(entry.changes) });
  }

  async read({ models, record, tenant, before, limit = 50 }: AuditFilter = {}): Promise<AuditLine[]> {
    const query = this.#database.knex<Row>("audit_lines").select("*").orderBy("id", "desc").limit(limit);
    if (models) query.whereIn("model", [...models]);
    if (record !== undefined) query.where("record", record);
    if (tenant !== undefined) query.where("tenant", tenant);
    if (before !== undefined) query.where("id", "<", before);
    const rows: Row[] = await query;
    return rows.map(({ changes, id, ...entry }) => ({ ...entry, id: Number(id), changes: JSON.parse(changes) }));
  }

  /** Removes the lines of before an instant. */
  removeBefore(instant: Date): Promise<number> {
    return this.#database.knex<Row>("audit_lines").where("at", "<", instant.toISOString()).delete();
  }
}
