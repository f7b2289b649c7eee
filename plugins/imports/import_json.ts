import type { Reply } from "framewright/host";
import type { ResourceController } from "framewright/plugins/resources";
import { type ImportContent, noCounts } from "./content.ts";
import { importsOf } from "./imports_of.ts";
import type { ImportRow } from "./store.ts";
import { importUrl } from "./urls.ts";

const MAX_SHOWN = 50;

/** An import as JSON: how far it is, what became of its rows, and the first of those with errors. */
export async function answerImport(
  controller: ResourceController,
  stored: ImportRow,
  { file, total, headers, undo, ignored = [], sheet, encoding }: ImportContent,
  status = 200,
): Promise<Reply> {
  const imports = importsOf(controller);
  const background = imports.runs;
  const run = stored.run_id === null ? undefined : await background.store.find(stored.run_id);
  const { counts = noCounts, problems = [] } = run ? background.sealer.problems(run) : {};
  const rows = await imports.store.failures(stored.id, 0, MAX_SHOWN);
  const failures = rows.flatMap(({ content }) => {
    const failed = imports.sealer.failedRow(content, stored);
    if (!failed) return [];
    const said = failed.problems.map(({ column, text }) => ({
      column: column === null ? null : (headers[column] ?? String(column + 1)),
      text,
    }));
    return [{ row: failed.row, problems: said }];
  });
  const failuresUrl = importUrl(controller, stored.id, "failures.csv");
  const data = {
    id: stored.id,
    file: file.filename,
    state: run?.state ?? "open",
    total,
    ...counts,
    ignored,
    ...(sheet === undefined ? {} : { sheet }),
    ...(encoding === undefined ? {} : { encoding }),
    failed: run?.failed ?? 0,
    failures,
    failures_url: failures.length > 0 ? failuresUrl : null,
    problems: problems.map(({ text }) => text),
    undo: undo === undefined ? null : await undoJson(controller, undo),
  };
  return controller.json({ data }, { status });
}

async function undoJson(controller: ResourceController, id: number) {
  const { runs: background } = importsOf(controller);
  const run = await background.store.find(id);
  if (!run) return null;
  const { counts = noCounts, problems } = background.sealer.problems(run);
  const left = problems.map(({ record, text }) => ({ id: record, reason: text }));
  return { state: run.state, removed: counts.created, restored: counts.updated, kept: run.failed, left };
}
