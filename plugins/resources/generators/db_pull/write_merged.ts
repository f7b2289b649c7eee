import type { Changes } from "framewright/generators";
import { merge, readRecord, unifiedDiff } from "../../../../generators/toolkit/index.ts";

/**
 * Drafts a file. One that an earlier run wrote gets what changed since then, beside the edits in it; where both changed the
 * same lines it is left as it is.
 */
export function writeMerged(changes: Changes, path: string, text: string, note: (line: string) => void): void {
  const yours = changes.read(path);
  const record = yours === undefined || yours === text ? undefined : readRecord(changes.root, path);
  if (yours === undefined || !record) {
    changes.create(path, text);
    return;
  }
  const { text: merged, conflicts } = merge(
    { base: record.edited ?? record.generated, yours, theirs: text },
    "the database",
  );
  if (conflicts > 0) {
    changes.create(path, text);
    note(
      `${path} is left as it is: you changed the lines that the table changes. With --dry-run --force it prints what it would be.`,
    );
  } else if (merged !== yours) {
    changes.edit(path, () => merged);
    note(unifiedDiff(path, yours, merged));
  }
}
