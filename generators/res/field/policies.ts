import type { GeneratorContext } from "../../generator.ts";
import type { ModelFile } from "../../support/application.ts";
import { credentialNote, isCredential } from "../../support/credentials.ts";
import { addToList, listsWithout, methodOf, type PolicyList } from "../../support/policy_lists.ts";
import { filesOf, resourceOf } from "../../support/resource.ts";
import type { Field } from "../scaffold/field.ts";

/** The lists that a scaffold writes. */
const scaffolded: readonly PolicyList[] = ["Create", "Read"];

/** Adds fields to the lists of the policies of a resource, its own and those of portals; prints what was left alone. */
export function addToPolicies(context: GeneratorContext, model: ModelFile, fields: readonly Field[]): void {
  const { app, note } = context;
  const left = fields.filter(({ column, name }) => isCredential(column) || isCredential(name));
  const names = fields.filter((field) => !left.includes(field)).map(({ name }) => name);
  const resource = resourceOf(model.constant);
  const portals = app.portals().map((portal) => filesOf(resource, portal, `${portal}/`));
  const paths = [filesOf(resource, model.package), ...portals]
    .map(({ policy }) => policy)
    .filter((path) => app.has(path));
  for (const path of paths) {
    if (names.length > 0) addToPolicy(context, path, names);
    if (left.length > 0)
      note(
        `\n${credentialNote(
          path,
          left.map(({ column }) => column),
        )}`,
      );
  }
}

function addToPolicy({ changes, note }: GeneratorContext, path: string, names: readonly string[]): void {
  const line = names.map((name) => JSON.stringify(name)).join(", ");
  for (const list of scaffolded) {
    if (addToList(changes, path, list, names) === "unreadable")
      note(`\nLeft alone: ${methodOf(list)}() of ${path} is no plain list of names. Add to it: ${line}`);
  }
  const missing = listsWithout(changes.read(path)!, names).filter((list) => !scaffolded.includes(list));
  if (missing.length > 0)
    note(
      `\nLeft alone: ${missing.map((list) => `${methodOf(list)}()`).join(", ")} of ${path}. Add where wanted: ${line}`,
    );
}
