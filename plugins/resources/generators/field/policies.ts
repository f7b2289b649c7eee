import type { GeneratorContext, ModelFile } from "framewright/generators";
import { filesOf, resourceOf } from "../../../../generators/toolkit/index.ts";
import type { Field } from "../../../database/generators/toolkit/index.ts";
import { credentialNote, isCredential } from "../credentials.ts";
import { addToList, listsWithout, methodOf, namesIn, type PolicyList, stamps } from "../policy_lists.ts";

/** The lists that a scaffold writes. */
const scaffolded: readonly PolicyList[] = ["Create", "Read"];

/** Adds fields to the lists of the policies of a resource, its own and those of portals; prints what was left alone. */
export function addToPolicies(context: GeneratorContext, model: ModelFile, fields: readonly Field[]): void {
  const { app, note } = context;
  const left = fields.filter(({ column, name }) => isCredential(column) || isCredential(name));
  const names = fields.filter((field) => !left.includes(field)).map(({ name }) => name);
  const resource = resourceOf(model.constant);
  const portals = app.portals().map((portal) => filesOf(resource, portal, `${portal}/`));
  const own = filesOf(resource, model.package).policy;
  const paths = [own, ...portals.map(({ policy }) => policy)].filter((path) => app.has(path));
  const before = app.has(own) ? app.read(own) : "";
  for (const path of paths) {
    if (names.length > 0) addToPolicy(context, path, names, path === own ? "" : before);
    if (left.length > 0)
      note(
        `\n${credentialNote(
          path,
          left.map(({ column }) => column),
        )}`,
      );
  }
}

/** `feature`: the text of the resource's own policy before it was edited, for one of a portal. */
function addToPolicy(
  { changes, note }: GeneratorContext,
  path: string,
  names: readonly string[],
  feature: string,
): void {
  const line = names.map((name) => JSON.stringify(name)).join(", ");
  for (const list of scaffolded) {
    if (isNarrower(changes.read(path)!, feature, list))
      note(
        `\nLeft alone: ${methodOf(list)}() of ${path} has fewer fields than the resource's own. Add where wanted: ${line}`,
      );
    else if (addToList(changes, path, list, names) === "unreadable")
      note(`\nLeft alone: ${methodOf(list)}() of ${path} is no plain list of names. Add to it: ${line}`);
  }
  const missing = listsWithout(changes.read(path)!, names).filter((list) => !scaffolded.includes(list));
  if (missing.length > 0)
    note(
      `\nLeft alone: ${missing.map((list) => `${methodOf(list)}()`).join(", ")} of ${path}. Add where wanted: ${line}`,
    );
}

/** Whether somebody took fields out of a portal's list: what they are shown there is not for a generator to add. */
function isNarrower(text: string, feature: string, list: PolicyList): boolean {
  const [shown, whole] = [namesIn(text, list), namesIn(feature, list)];
  if (!shown || !whole) return false;
  return whole.some((name) => !stamps.has(name) && !shown.includes(name));
}
