import { isRequired } from "framewright/plugins/fields";
import { isValues, kindOf, own, readValue } from "framewright/plugins/fields/rows";
import type { FieldSpec, FlowSchema, Staged, StepSpec, StepValues, WizardFlow } from "../contract/index.ts";

/** Each step's fields and their types: `{ company: { name: "string", "invites[].email": "email" } }`. */
export const schemaOf = (steps: readonly StepSpec[]): FlowSchema =>
  Object.fromEntries(inputSteps(steps).map(({ key, fields }) => [key, Object.fromEntries(typesOf(fields, ""))]));

const inputSteps = (steps: readonly StepSpec[]) => steps.filter(({ review }) => !review);
const fieldPath = (path: string, { name, type }: FieldSpec) =>
  `${path}${name}${type === "group" ? "." : type === "repeated" ? "[]." : ""}`;

const typesOf = (fields: readonly FieldSpec[], path: string): [path: string, type: string][] =>
  leaves(fields, path).map(([at, field]) => [at, storedType(field)]);
/** What files are stored for is found by the schema. */
const storedType = (field: FieldSpec): string => (kindOf(field).isFile ? "file" : field.type);

function leaves(fields: readonly FieldSpec[], path: string): [path: string, field: FieldSpec][] {
  return fields.flatMap((field) => {
    const at = fieldPath(path, field);
    return field.fields.length > 0 ? leaves(field.fields, at) : ([[at, field]] as [string, FieldSpec][]);
  });
}

/** A run's answers after a deploy changed the steps. */
export interface MigratedAnswers {
  readonly staged: Staged;
  /** Removed steps, removed fields, and fields whose answers can't be read any more (`invites[].email`). */
  readonly dropped: readonly { readonly step: string; readonly field?: string }[];
  /** Former keys of steps to their current ones. */
  readonly renamed: Readonly<Record<string, string>>;
  /** Steps to be answered (again): new ones, and those that lost an answer or require another one. */
  readonly changed: readonly string[];
}

/** Migrates answers to the current steps; `schema` is the one that was stored with them. */
export function migrateStaged(flow: Pick<WizardFlow, "steps">, schema: FlowSchema, staged: Staged): MigratedAnswers {
  const renamed = renamedSteps(flow.steps, schema);
  const former = new Map(Object.entries(renamed).map(([old, key]) => [key, old]));
  const moved: Record<string, StepValues> = {};
  const dropped: { step: string; field?: string }[] = [];
  const changed: string[] = [];
  for (const step of inputSteps(flow.steps)) {
    const old = former.get(step.key) ?? step.key;
    const before = Object.hasOwn(schema, old) ? schema[old] : undefined;
    const values = Object.hasOwn(staged, old) ? staged[old] : undefined;
    const lost = new Set<string>();
    if (values) moved[step.key] = migrateFields({ before: before ?? {}, lost }, step.fields, values, "");
    const gone = before ? goneFields(before, step) : [];
    dropped.push(...[...gone, ...lost].map((field) => ({ step: step.key, field })));
    if (!before || lost.size > 0 || needsMore(before, step)) changed.push(step.key);
  }
  const kept = new Set(inputSteps(flow.steps).map(({ key }) => former.get(key) ?? key));
  const gone = [...new Set([...Object.keys(schema), ...Object.keys(staged)])].filter((key) => !kept.has(key));
  return { staged: moved, dropped: [...gone.map((step) => ({ step })), ...dropped], renamed, changed };
}

/** Former keys (`was`) to current ones, unless a current step has the former key. */
function renamedSteps(steps: readonly StepSpec[], schema: FlowSchema): Record<string, string> {
  const keys = new Set(steps.map(({ key }) => key));
  const pairs = steps.flatMap(({ key, was }) => {
    const old = was.find((name) => Object.hasOwn(schema, name) && !keys.has(name));
    return old === undefined || Object.hasOwn(schema, key) ? [] : [[old, key] as const];
  });
  return Object.fromEntries(pairs);
}

const goneFields = (before: Record<string, string>, { fields }: StepSpec): string[] => {
  const now = new Set(leaves(fields, "").map(([path]) => path));
  return Object.keys(before).filter((path) => !now.has(path));
};

const needsMore = (before: Record<string, string>, { fields }: StepSpec): boolean =>
  leaves(fields, "").some(([path, field]) => isRequired(field.options) && !Object.hasOwn(before, path));

interface FieldMigration {
  readonly before: Record<string, string>;
  readonly lost: Set<string>;
}

function migrateFields(
  migration: FieldMigration,
  fields: readonly FieldSpec[],
  values: StepValues,
  path: string,
): StepValues {
  const moved: StepValues = {};
  for (const field of fields) {
    const value = own(values, field.name);
    if (value === undefined) continue;
    const migrated = migrateField(migration, field, value, fieldPath(path, field));
    if (migrated === undefined) migration.lost.add(fieldPath(path, field));
    else moved[field.name] = migrated;
  }
  return moved;
}

/** The value as the current field stores it; undefined when it can't be read. */
function migrateField(migration: FieldMigration, field: FieldSpec, value: unknown, path: string): unknown {
  if (field.type === "group") return isValues(value) ? migrateFields(migration, field.fields, value, path) : undefined;
  if (field.type === "repeated") {
    if (!Array.isArray(value)) return undefined;
    return value.filter(isValues).map((entry) => migrateFields(migration, field.fields, entry, path));
  }
  if (value === null || migration.before[path] === storedType(field)) return value;
  if (kindOf(field).isFile || isValues(value) || Array.isArray(value)) return undefined;
  const read = readValue(field, String(value));
  return "problem" in read ? undefined : read.value;
}
