import { type ApplicationFiles, defineGenerator, usage } from "framewright/generators";
import { camelize, singularize, tableize, underscore } from "framewright/host/inflection";
import { checkTable, newMigration } from "../../../../generators/toolkit/index.ts";
import type { FieldWord } from "../fields/field.ts";
import { fieldWords } from "../fields/field_words.ts";
import { fieldHelp, parseFields } from "../fields/fields.ts";
import { takeKey } from "../fields/keys.ts";
import { link } from "../fields/link.ts";
import { addColumnsCode, createTableCode, forExistingRows, migrationCode } from "./code.ts";
import { type Migrated, noteModel } from "./model_note.ts";

export default defineGenerator({
  name: "fw:migration",
  summary: "Create a migration with up and down; filled in where its name and fields say what it does",
  example: "fw generate fw:migration add_slug_to_blogging_posts 'slug:string?:uniq' --dest=blogging",
  args: "<name> [field...]",
  options: { dest: { summary: "main_app, or the feature package of the migration", value: "PACKAGE" } },
  help: `Names: add_COLUMN_to_TABLE adds the fields as columns, create_TABLE creates a table with them.
  A migration of another name is empty, and takes no fields.
${fieldHelp.replace(/\n[^\n]*Without fields[^\n]*/, "")}`,
  directory: import.meta.dirname,
  async run({ args, options, app, changes, note }) {
    const [given, ...texts] = args;
    const name = underscore(given!);
    if (!/^[a-z][a-z0-9_]*$/.test(name) || name.length > MAX_NAME_CHARS)
      throw usage.FW_NAME_INVALID(
        "a migration",
        given!,
        `as in add_slug_to_posts, of at most ${MAX_NAME_CHARS} letters`,
      );
    const owner = options.dest === undefined ? undefined : app.destination(options.dest);
    const directory = owner === undefined ? "db/migrate" : `packages/${owner}/db/migrate`;
    const {
      code,
      empty = [],
      migrated,
    } = draftOf(name, texts, { app, owner, words: await fieldWords(app.root, texts) });
    const isSameName = (path: string) =>
      path.startsWith(`${directory}/`) && path.replace(/^.*\/\d+_/, "") === `${name}.ts`;
    const path = app.migrations().find(isSameName) ?? newMigration(app, changes, name, directory);
    changes.create(path, code);
    for (const column of empty)
      note(`\n${column} may be empty in the table: rows that exist have no value. Give it a default to fill them.`);
    if (migrated) noteModel({ app, note }, migrated);
    note(`\nNext:\n${texts.length === 0 ? `  write up and down in ${path}\n` : ""}  npx fw db:migrate`);
  },
});

const MAX_NAME_CHARS = 150;

interface Draft {
  code: string;
  /** The columns that are added without a value for the rows that exist, although they are required. */
  empty?: readonly string[];
  migrated?: Migrated;
}

interface DraftPlace {
  app: ApplicationFiles;
  owner: string | undefined;
  words: ReadonlyMap<string, FieldWord>;
}

/** @throws FW_NAME_INVALID for fields in a migration whose name does not state where they go */
function draftOf(name: string, texts: readonly string[], { app, owner, words }: DraftPlace): Draft {
  if (texts.length === 0) return { code: migrationCode([], []) };
  const added = /^add_\w+_to_(\w+)$/.exec(name)?.[1];
  const created = /^create_(\w+)$/.exec(name)?.[1];
  const table = added ?? created;
  if (table === undefined)
    throw usage.FW_NAME_INVALID("a migration with fields", name, "as in add_slug_to_posts or create_posts");
  checkTable(table);
  const constant = constantOf(table, app, owner);
  const isNew = added === undefined;
  const { key, texts: columns } = isNew ? takeKey(texts) : { key: undefined, texts };
  const fields = parseFields(columns, { slugs: isNew ? "own" : "any", words }).map((field) =>
    link(isNew ? field : forExistingRows(field), constant, app, key),
  );
  const migrated = { table, constant, fields, key, isNew };
  if (isNew) return { code: createTableCode(table, fields, key), migrated };
  const empty = fields.filter(({ requiredByModel }) => requiredByModel).map(({ column }) => column);
  return { code: addColumnsCode(table, fields), empty, migrated };
}

/** The model of a table, or what it would be called: its module is where a belongs_to is looked for first. */
function constantOf(table: string, app: ApplicationFiles, owner: string | undefined): string {
  const model = app.models().find(({ constant }) => tableize(constant) === table);
  const name = camelize(singularize(table));
  return model?.constant ?? (owner === undefined ? name : `${camelize(owner)}::${name}`);
}
