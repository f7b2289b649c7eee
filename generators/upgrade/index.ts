import type { Change } from "../support/changes.ts";
import { readRecord, recordChange } from "../support/drift/records.ts";
import { noteEntries } from "./noted_entries.ts";
import { addBuiltIn } from "./steps/added_plugins.ts";
import { importPostgres } from "./steps/copied_postgres.ts";
import { renderShells } from "./steps/copied_shells.ts";
import { nameDialogs } from "./steps/dialog_frames.ts";
import { moveNames } from "./steps/moved_names.ts";
import { moveOptions } from "./steps/moved_options.ts";
import { moveServices } from "./steps/moved_services.ts";
import { addNew } from "./steps/new_plugins.ts";
import { openHome } from "./steps/public_home.ts";
import { renameNames } from "./steps/renamed_names.ts";
import { CONFIG, Upgrade, type UpgradeStep } from "./upgrade.ts";

/** The steps in their order: options become lines of plugins, then the lines that are still missing are added. */
const steps: readonly UpgradeStep[] = [
  moveOptions,
  addBuiltIn,
  addNew,
  moveNames,
  moveServices,
  renameNames,
  importPostgres,
  nameDialogs,
  openHome,
  renderShells,
];

/** What upgrading an application changes and leaves. Nothing is written. */
export function planUpgrade(root: string): Upgrade {
  const upgrade = new Upgrade(root);
  for (const step of steps) step(upgrade);
  noteEntries(upgrade);
  return upgrade;
}

/**
 * The changes of the records of files that are rewritten: their texts are upgraded as the files are, so that a later merge
 * counts none of it as an edit. That of the list waits until nothing is left there.
 */
export function upgradedRecords(root: string, { notes }: Upgrade, plan: readonly Change[]): Change[] {
  const isLeft = notes.some((note) => note.isLeft && note.file === CONFIG);
  const paths = new Set([...plan.map(({ path }) => path), CONFIG]);
  if (isLeft) paths.delete(CONFIG);
  return [...paths].flatMap((path) => {
    const record = readRecord(root, path);
    if (!record) return [];
    const { generated, edited } = record;
    const texts = {
      generated: upgraded(root, path, generated),
      ...(edited && { edited: upgraded(root, path, edited) }),
    };
    return recordChange(root, { ...record, ...texts });
  });
}

/** Another text of a file as an upgrade leaves it. */
function upgraded(root: string, path: string, text: string): string {
  const upgrade = new Upgrade(root, [path]);
  upgrade.changes.create(path, text);
  for (const step of steps) step(upgrade);
  return upgrade.changes.read(path)!;
}
