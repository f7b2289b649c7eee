import gt from "semver/functions/gt.js";
import { readRecord } from "../support/drift/records.ts";
import { withBlankComments } from "../support/list_literal.ts";
import { entries, type FileTest, type UpgradeEntry } from "./entries.ts";
import type { Upgrade } from "./upgrade.ts";

interface Place {
  file: string;
  at: number;
}

/** Notes the entries that apply to this application, by the version of its records and by its files. */
export function noteEntries(upgrade: Upgrade): void {
  const version = readRecord(upgrade.root, "package.json")?.framewright;
  const files = upgrade.files();
  const texts = new Map<string, string>();
  const read = (file: string): string => {
    if (!texts.has(file)) texts.set(file, textOf(upgrade, file));
    return texts.get(file)!;
  };
  for (const entry of entries) {
    if (version !== undefined && gt(version, entry.upTo)) continue;
    const place = placeOf(entry, (test) => found(test, files, read));
    if (!place) continue;
    const { capability, change, run, byHand } = entry;
    if (run) upgrade.runs(capability, place.file, place.at, change.replaceAll("`", ""), run);
    else upgrade.leaves(capability, place.file, place.at, byHand!);
  }
}

/** The place that the entry is about; undefined where the application is not affected. */
function placeOf({ where }: UpgradeEntry, find: (test: FileTest) => Place | undefined): Place | undefined {
  const places = where.map(find);
  const isAffected = where.every((test, index) => "has" in test === (places[index] !== undefined));
  return isAffected ? places.find(Boolean) : undefined;
}

function found(test: FileTest, files: readonly string[], read: (file: string) => string): Place | undefined {
  const pattern = "has" in test ? test.has : test.lacks;
  for (const file of files) {
    const at = test.in.test(file) ? read(file).search(pattern) : -1;
    if (at >= 0) return { file, at };
  }
  return undefined;
}

/** The text of a file; comments of code are blank. */
function textOf({ changes }: Upgrade, file: string): string {
  const text = changes.read(file) ?? "";
  return /\.[cm]?tsx?$/.test(file) ? withBlankComments(text) : text;
}
