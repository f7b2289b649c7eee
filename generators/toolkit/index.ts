// What the generators of the framework's plugins are built with, beside `framewright/generators`.

export { errors } from "../errors.ts";
export { draft } from "../run_generator.ts";
export { accountModelOf, accountTypesOf } from "../support/account_models.ts";
export { importPath, MAIN_APP, packageName } from "../support/application.ts";
export { diffOf } from "../support/changes.ts";
export { unifiedDiff } from "../support/diff.ts";
export { merge } from "../support/drift/merge.ts";
export { readRecord } from "../support/drift/records.ts";
export { addNamedImports, importDefault, imports, namedImport } from "../support/imports.ts";
export { findList, insertEntry, type ListEntry, withoutComments, withoutText } from "../support/list_literal.ts";
export { applicationPlugins, openApp, withDatabase } from "../support/load_app.ts";
export {
  absentTableNote,
  addedColumns,
  checkTable,
  createdTables,
  missingParts,
  newMigration,
  tablesOf,
} from "../support/migrations.ts";
export {
  addAddress,
  addAssociations,
  addGroup,
  addMember,
  addMembers,
  addScope,
  addStatic,
  addToConfigure,
  hasConfigure,
  hasStatic,
  importFrom,
  importOne,
  importTypes,
  type Span,
  type StaticEdit,
  spanFrom,
  withEntry,
} from "../support/model_edits.ts";
export { codeDirectory } from "../support/package.ts";
export { addPlugins, readPluginList } from "../support/plugins_config.ts";
export { portalOf, portalOrMainApp } from "../support/portal.ts";
export { checkReserved } from "../support/reserved.ts";
export { filesOf, type Resource, resourceOf } from "../support/resource.ts";
export { renderFile, renderTemplate } from "../support/template.ts";
export { isInteractive } from "../support/terminal.ts";
