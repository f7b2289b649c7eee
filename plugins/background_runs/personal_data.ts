import type { PersonalTable } from "framewright/plugins/personal_data";
import type { RunRow } from "./run.ts";
import type { BackgroundRunService } from "./runs.ts";

/** The runs of a person, which an erasure deletes with the files that they carry and those that they have written. */
export const runTable = ({ sealer }: BackgroundRunService): PersonalTable => ({
  name: "background_runs",
  table: "framewright_background_runs",
  shown: ["resource", "action", "portal", "tenant", "state", "total", "done", "created_at", "finished_at"],
  erase: "delete",
  files: (row) => {
    const run = row as unknown as RunRow;
    const { file } = sealer.problems(run) as { file?: { file?: { key?: string } } }; // of an export
    return [
      ...Object.values(sealer.content(run)?.files ?? {}).map(({ key }) => key),
      ...[file?.file?.key ?? []].flat(),
    ];
  },
});
