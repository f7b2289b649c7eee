import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readRecord } from "../../support/drift/records.ts";
import { codeDirectory } from "../../support/package.ts";
import type { UpgradeStep } from "../upgrade.ts";

/** What only a copy of the shell of before has. */
const copied = "fw-mobile-menu";

/** Layouts of portals were copies of the whole shell, which stayed as it was; a copy that nobody edited renders it now. */
export const renderShells: UpgradeStep = (upgrade) => {
  for (const file of upgrade.layouts()) {
    const text = upgrade.changes.read(file) ?? "";
    if (!text.includes(copied)) continue;
    const at = text.indexOf(copied);
    if (readRecord(upgrade.root, file)?.generated === text) {
      upgrade.rewrites("layout", file, 0, "this copy of the shell of pages renders it now");
      upgrade.changes.edit(file, () => shell());
    } else
      upgrade.leaves(
        "layout",
        file,
        at,
        'the shell of pages has changed, and this edited copy of it has a menu for phones without styles. Take what you changed into a copy of framewright/plugins/layout/views/framewright/_shell.liquid, or write {% render "framewright/shell" %}',
      );
  }
};

const shell = () => readFileSync(join(codeDirectory, "plugins/layout/views/layouts/resource.liquid"), "utf8");
