import type { ApplicationFiles, ModelFile } from "../../support/application.ts";
import { isCredential } from "../../support/credentials.ts";

const known = /^(?:id|email|account_status|role|created_at|updated_at)$/;

/** The columns that a model which was there before requires, as far as a form can ask for them: what migrations and model say. */
export function requiredColumns(app: ApplicationFiles, model: ModelFile, table: string): string[] {
  const tables = new RegExp(`\\b(?:createTable|addColumns)\\(\\s*["'\`]${table}["'\`].*?^ *\\}\\)`, "gms");
  const column = /\bt\.(?:string|text|integer|bigint|float|decimal)\("(\w+)"[^;\n]*?\.notNull\(\)([^;\n]*)/g;
  const made = app.migrations().flatMap((path) => app.read(path).match(tables) ?? []);
  const stored = made.flatMap((text) =>
    [...text.matchAll(column)].filter(([, , rest]) => !rest!.includes(".default(")).map(([, name]) => name!),
  );
  const columns = new Set(made.flatMap((text) => [...text.matchAll(/\bt\.\w+\("(\w+)"/g)].map(([, name]) => name!)));
  const asked = [...app.read(model.path).matchAll(/(\w+): \{[^{}]*\bpresence: true/g)].map(([, name]) => name!);
  const all = [...stored, ...asked.filter((name) => columns.has(name) && !/_id$/.test(name))];
  return [...new Set(all)].filter((name) => !known.test(name) && !isCredential(name));
}
