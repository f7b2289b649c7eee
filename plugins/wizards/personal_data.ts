import type { Database } from "framewright/plugins/database";
import type { PersonalSource } from "framewright/plugins/personal_data";
import { filesOf } from "./runs/files.ts";
import type { RunCodec } from "./runs/run.ts";
import { runOf } from "./store/rows.ts";

const RUNS = "framewright_wizard_runs";
const EVENTS = "framewright_wizard_events";
const MAX_ROWS = 200;
type Row = Record<string, unknown>;

/** The runs of a person: what they entered, as far as it is not encrypted, is exported; the runs are deleted with their events and files. */
export function runSource(database: Database, codec: RunCodec): PersonalSource {
  return {
    name: "wizard_runs",
    async *rows({ id, owns }) {
      if (!(await database.tables()).includes(RUNS)) return;
      for await (const rows of runsOf((table) => database.knex(table), id))
        for (const { owner_type, owner_id, wizard, state, data, started_at, completed_at } of rows)
          if (owns(owner_type, owner_id)) yield { wizard, state, started_at, completed_at, answers: parsed(data) };
    },
    async erase({ person, transaction, hasTable, deleteFile }) {
      if (!hasTable(RUNS)) return;
      for await (const rows of runsOf(transaction, person.id)) {
        const own = rows.filter(({ owner_type, owner_id }) => person.owns(owner_type, owner_id));
        for (const row of own) // files of a completed run are those of what it has created
          if (row.state !== "completed") for (const key of fileKeys(codec, row)) deleteFile(key);
        const ids = own.map(({ id }) => id as number);
        await transaction(EVENTS).whereIn("run_id", ids).delete();
        await transaction(RUNS).whereIn("id", ids).delete();
      }
    },
  };
}

async function* runsOf(from: (table: string) => ReturnType<Database["knex"]>, owner_id: string): AsyncGenerator<Row[]> {
  for (let last = 0; ; ) {
    const query = from(RUNS).where({ owner_id }).where("id", ">", last).orderBy("id").limit(MAX_ROWS);
    const rows = (await query) as Row[];
    if (rows.length > 0) yield rows;
    if (rows.length < MAX_ROWS) return;
    last = Number(rows.at(-1)!.id);
  }
}

/** The value of a text of JSON; null for one that is encrypted. */
function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text)) as unknown;
  } catch {
    return null;
  }
}

/** The keys of a run's files; none where the secret that encrypted it is not configured any more. */
function fileKeys(codec: RunCodec, row: Row): string[] {
  const run = codec.open(runOf(row));
  return run ? filesOf(run).map(({ key }) => key) : [];
}
