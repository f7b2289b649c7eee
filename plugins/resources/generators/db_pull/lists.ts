import { isWrittenByModel, type PulledModel } from "../../../database/generators/toolkit/index.ts";
import { credentialNote, isCredential } from "../credentials.ts";
import type { PolicyLists } from "../scaffold/policy_locals.ts";

type Field = PulledModel["fields"][number];
const stamps = ["created_at", "updated_at"];
const isBinary = ({ type }: Field): boolean => (type as string) === "binary";
const isSecret = ({ column, type }: Field): boolean => type !== "belongs_to" && isCredential(column);

/** What the policy of a pulled table permits: the columns of its key are given to a new record alone, where the database doesn't. */
export function listsOf({ fields, key, joint }: PulledModel): PolicyLists {
  const isVersion = (field: Field) => field.column === "lock_version" && isWrittenByModel(field);
  const shown = fields.filter((field) => !isBinary(field) && !isSecret(field) && !isVersion(field));
  const isKey = ({ column }: Field) => key.includes(column);
  const given = shown.filter((field) => !isWrittenByModel(field) && !field.isReadOnly);
  const create = key.length === 0 ? [] : given.filter((field) => !isKey(field) || field.default === undefined);
  const update = create.filter((field) => !isKey(field));
  const read = shown.filter((field) => !isKey(field) || create.includes(field));
  const last = read.filter(({ column }) => stamps.includes(column));
  const names = (list: readonly Field[], isNew: boolean): string[] => {
    const shownFor = joint.filter(({ own, columns }) =>
      list.some(({ column }) => (isNew || own.length > 0 ? columns : own).includes(column)),
    );
    const replaced = new Set(shownFor.flatMap((one) => (isNew && !one.isOptional ? one.columns : one.own)));
    const kept = list.filter((field) => field.type === "belongs_to" || !replaced.has(field.column));
    return [...shownFor.map(({ name }) => name), ...kept.map(({ name }) => name)];
  };
  return {
    create: names(create, true),
    update: update.length < create.length ? names(update, false) : undefined,
    read: names([...read.filter((field) => !last.includes(field)), ...last], true),
  };
}

/** Reports the columns that no list has, and what can't be created without them. */
export function noteLeft({ facts, files, fields, key }: PulledModel, note: (line: string) => void): void {
  const secret = fields.filter(isSecret);
  const bytes = fields.filter((field) => isBinary(field));
  if (secret.length > 0)
    note(
      credentialNote(
        files.policy,
        secret.map(({ column }) => column),
      ),
    );
  if (bytes.length > 0)
    note(`not listed in ${files.policy}, because they are bytes: ${bytes.map(({ column }) => column).join(", ")}.`);
  const needed = [...secret, ...bytes].filter((field) => !field.nullable && field.default === undefined);
  if (key.length > 0 && needed.length > 0)
    note(`No form creates a row of ${facts.name}: it needs ${needed.map(({ column }) => column).join(", ")}.`);
}
