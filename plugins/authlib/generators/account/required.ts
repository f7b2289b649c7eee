import type { ApplicationFiles, ModelFile } from "framewright/generators";
import { isCredential } from "../../../resources/generators/toolkit/index.ts";

const known = /^(?:id|email|account_status|role|created_at|updated_at)$/;

/** The columns that an existing model requires and a form can ask for, by the source text of migrations and model. */
export function requiredColumns(app: ApplicationFiles, model: ModelFile, table: string): string[] {
  const tables = new RegExp(`\\b(?:createTable|addColumns)\\(\\s*["'\`]${table}["'\`].*?^ *\\}\\)`, "gms");
  const column = /\bt\.(?:string|text|integer|bigint|float|decimal)\("(\w+)"[^;\n]*?\.notNull\(\)([^;\n]*)/g;
  const definitions = app.migrations().flatMap((path) => app.read(path).match(tables) ?? []);
  const stored = definitions.flatMap((text) =>
    [...text.matchAll(column)].filter(([, , rest]) => !rest!.includes(".default(")).map(([, name]) => name!),
  );
  const columns = new Set(
    definitions.flatMap((text) => [...text.matchAll(/\bt\.\w+\("(\w+)"/g)].map(([, name]) => name!)),
  );
  const validated = [...app.read(model.path).matchAll(/(\w+): \{[^{}]*\bpresence: true/g)].map(([, name]) => name!);
  const all = [...stored, ...validated.filter((name) => columns.has(name) && !/_id$/.test(name))];
  return [...new Set(all)].filter((name) => !known.test(name) && !isCredential(name));
}
