import type { ApplicationFiles, GeneratorContext } from "framewright/generators";
import { messageOf } from "framewright/kernel";
import { checkTable, errors, filesOf, type Resource, resourceOf } from "../../../../generators/toolkit/index.ts";
import { createTableCode } from "../migration/code.ts";
import { type Linkable, staticLine } from "./code.ts";
import { type ExistingTable, fieldsOf, readTable, readUnmodelled } from "./existing_table.ts";
import { fieldWords } from "./field_words.ts";
import { parseFields } from "./fields.ts";
import { idDefault, type KeyField, takeKey } from "./keys.ts";
import { link } from "./link.ts";
import { migrationPath } from "./migration.ts";
import { modelCode } from "./model_code.ts";
import { fileLines, modelParts, staticLines } from "./model_parts.ts";
import { place } from "./place.ts";
import { tenantsOf, withinTenant } from "./tenant_scope.ts";

/** What is requested: `Post title --dest=blogging`. */
export interface ModelRequest {
  given: string;
  texts: readonly string[];
  dest: string | undefined;
  /** The model and its migration are left alone. */
  keepModel?: boolean;
}
/** A model as drafted. */
export interface ModelDraft {
  resource: Resource;
  files: ReturnType<typeof filesOf>;
  fields: readonly Linkable[];
  /** The table, where it exists. */
  present: ExistingTable | undefined;
  /** Whether a migration creates the table. */
  isMigrated: boolean;
  /** Its primary key, where that is no number. */
  key: KeyField | undefined;
}

/** Drafts a model and the migration that creates its table; what exists is read instead. */
export async function draftModel(
  { app, changes, note }: Pick<GeneratorContext, "app" | "changes" | "note">,
  { given, texts, dest, keepModel = false }: ModelRequest,
): Promise<ModelDraft> {
  const { constant, owner } = place(given, dest, app, note);
  const resource = resourceOf(constant);
  checkTable(resource.table);
  const files = filesOf(resource, owner);
  if (keepModel) app.model(constant);
  const hasModel = keepModel || (texts.length === 0 && app.has(files.model));
  const migration = migrationPath(app, changes, owner, resource.table);
  const present = await findTable({ app, resource, texts, migration, hasModel, note });
  const { key, texts: columns } = takeKey(texts);
  const words = await fieldWords(app.root, columns, { isRecord: true });
  const parsed =
    texts.length === 0 && present
      ? fieldsOf(present, app)
      : withinTenant(parseFields(columns, { slugs: "own", words }), tenantsOf(app));
  const fields = parsed.map((field) => link(field, constant, app, key));
  const isMigrated = migration !== undefined && !present && !keepModel;
  if (!hasModel || isMigrated) changes.create(files.model, modelOf(resource, fields, key));
  if (isMigrated) changes.create(migration, createTableCode(resource.table, fields, key));
  else if (present) note(`The table ${resource.table} exists: its columns were used, and no migration was written.`);
  return { resource, files, fields, present, isMigrated, key };
}

interface TableSearch {
  app: ApplicationFiles;
  resource: Resource;
  texts: readonly string[];
  migration: string | undefined;
  hasModel: boolean;
  note(line: string): void;
}

/** The existing table, read if a migration might create it twice, or if its columns replace the field arguments. @throws FW_TABLE_UNMIGRATED */
async function findTable({
  app,
  resource,
  texts,
  migration,
  hasModel,
  note,
}: TableSearch): Promise<ExistingTable | undefined> {
  const isDrafted = migration !== undefined && app.has(migration);
  if (texts.length > 0 && (isDrafted || hasModel)) return undefined;
  try {
    const present = await (app.models().some(({ constant }) => constant === resource.constant)
      ? readTable(app, resource.table, resource.constant)
      : readUnmodelled(app, resource.table));
    if (!present && hasModel && !isDrafted) throw errors.FW_TABLE_UNMIGRATED(resource.constant, resource.table);
    return present;
  } catch (error) {
    if (texts.length === 0) throw error;
    note(
      `The application does not boot, so it is unknown whether the table ${resource.table} exists: ${messageOf(error)}`,
    );
    return undefined;
  }
}

function modelOf(resource: Resource, fields: readonly Linkable[], key: KeyField | undefined): string {
  const parts = modelParts(fields);
  const id = idDefault(key);
  return modelCode(resource, {
    statics: [...(id === undefined ? [] : [staticLine("defaults", [`id: ${id}`])]), ...staticLines(parts)],
    functions: parts.associations.length > 0 ? ["belongsTo"] : [],
    makesIds: id !== undefined,
    files: { types: [...new Set(parts.files.map(({ code }) => code))].sort(), lines: fileLines(parts) },
  });
}
