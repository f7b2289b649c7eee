import { filesOfDraft } from "framewright/plugins/fields/rows";
import type { FlowSchema, Run, Staged, StagedFile } from "../contract/index.ts";

/** The files of a run: in its answers, in those that are set aside, and in its drafts. */
export const filesOf = ({
  staged,
  schema,
  aside,
  drafts,
}: Pick<Run, "staged" | "schema" | "aside" | "drafts">): StagedFile[] => [
  ...answeredFiles(staged, schema),
  ...Object.entries(aside).flatMap(([step, { schema: types, values }]) =>
    answeredFiles({ [step]: values }, { [step]: types }),
  ),
  ...Object.values(drafts).flatMap((draft) => Object.values(filesOfDraft(draft))),
];

/** The files at the paths of the schema that the answers were given for. */
function answeredFiles(staged: Staged, schema: FlowSchema): StagedFile[] {
  const found: StagedFile[] = [];
  for (const [step, types] of Object.entries(schema))
    for (const path in types)
      if (types[path] === "file") found.push(...valuesAt(staged[step], path.split(".")).filter(isFile));
  return found;
}

/** The values at a path such as `invites[].photo`. */
function valuesAt(value: unknown, [name, ...rest]: readonly string[]): unknown[] {
  if (name === undefined) return [value];
  if (typeof value !== "object" || value === null) return [];
  const isList = name.endsWith("[]");
  const key = isList ? name.slice(0, -2) : name;
  const found: unknown = Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
  if (!isList) return valuesAt(found, rest);
  return Array.isArray(found) ? found.flatMap((entry) => valuesAt(entry, rest)) : [];
}

const isFile = (value: unknown): value is StagedFile =>
  typeof value === "object" && value !== null && typeof (value as Partial<StagedFile>).key === "string";

/** The keys of files that are in `before` and not in `after`. */
export function removedKeys(before: readonly StagedFile[], after: readonly StagedFile[]): string[] {
  const kept = new Set(after.map(({ key }) => key));
  return before.map(({ key }) => key).filter((key) => !kept.has(key));
}
