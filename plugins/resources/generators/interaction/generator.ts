import { type ApplicationFiles, defineGenerator, type ModelFile, usage } from "framewright/generators";
import { camelize, humanize, underscore } from "framewright/host/inflection";
import { isBuiltInPredicate } from "framewright/plugins/resources/names";
import { filesOf, importPath, resourceOf } from "../../../../generators/toolkit/index.ts";
import { braced, fieldWords } from "../../../database/generators/toolkit/index.ts";
import { declareAction, permitAction } from "./declaration.ts";
import { inputsOf } from "./inputs.ts";
import { hasTransition } from "./transitions.ts";

export default defineGenerator({
  name: "fw:res:interaction",
  summary: "Create an interaction, and the action in the definition and the predicate in the policy that lead to it",
  example: "fw generate fw:res:interaction Post reject 'reason:text' 'notify:boolean' --dest=blogging",
  args: "<model> <name> [input...]",
  options: {
    collection: { summary: "An action of the list, without a record; who may create a record may run it" },
    dest: {
      summary: "main_app or the feature package of the model, or the one portal that has the action",
      value: "PACKAGE",
    },
  },
  help: `Inputs: name:type, as the fields of fw:res:scaffold, without belongs_to, :uniq and :index.
  A ? makes an input optional: 'note:text?'. Braces: percent:integer{default:10}, reason:string{80}.`,
  directory: import.meta.dirname,
  async run({ args, options, app, changes, template, note }) {
    const [given, action, ...texts] = args;
    const isCollection = options.collection === true;
    const key = keyOf(action!);
    const { model, portal } = placeOf(app, given!, options.dest);
    if (hasTransition(changes.read(model.path) ?? "", key))
      throw usage.FW_NAME_INVALID("an action", action!, `${model.path} has a transition of that name. Choose another`);
    const resource = resourceOf(model.constant);
    const files = portal ? filesOf(resource, portal, `${portal}/`) : filesOf(resource, model.package);
    for (const path of [files.definition, files.policy])
      if (!changes.exists(path)) throw usage.FW_RESOURCE_CLASS(model.constant, path, fixOf(model, portal));
    const name = camelize(key) === resource.name ? `${camelize(key)}Action` : camelize(key);
    const owner = portal ?? model.package;
    const base = owner === undefined ? "app" : `packages/${owner}/app`;
    const path = `${base}/interactions/${portal ? `${portal}/` : ""}${resource.path}/${key}.ts`;
    const inputs = inputsOf(texts, await fieldWords(app.root, texts));
    const isTyped = inputs.length > 0 && /\bValues\b/.test(changes.read(BASE) ?? ""); // one of before takes no values
    template(path, "interaction.ts", {
      name: resource.name,
      model_path: importPath(model.path),
      class: name,
      label: humanize(key),
      collection: isCollection,
      inputs: inputs.length > 0 ? braced(inputs, isTyped ? "" : "  ") : "",
      typed: isTyped,
    });
    declareAction(changes, files.definition, { key, name, from: importPath(path), isCollection }, resource.name);
    permitAction(changes, files.policy, `can${camelize(key)}`, isCollection);
    note(`\nNext: write what it does in ${path}, and who may in can${camelize(key)}() of ${files.policy}`);
  },
});

const BASE = "app/interactions/resource_interaction.ts";

/** `markDone` and `mark_done` are both `mark_done`. @throws FW_NAME_INVALID */
function keyOf(given: string): string {
  const key = underscore(given);
  if (!/^[a-z][a-z0-9_]*$/.test(key)) throw usage.FW_NAME_INVALID("an action", given, "as in publish or mark_done");
  if (isBuiltInPredicate(key))
    throw usage.FW_NAME_INVALID("an action", given, "every policy has a predicate of that name. Choose another");
  return key;
}

function placeOf(app: ApplicationFiles, given: string, dest: string | undefined) {
  const portal = dest === undefined ? undefined : app.portalNamed(dest);
  return { portal, model: portal === undefined ? app.modelIn(given, dest) : app.model(given) };
}

const fixOf = ({ constant }: ModelFile, portal: string | undefined): string =>
  portal === undefined
    ? `Write it: fw generate fw:res:scaffold ${constant} --no-model; or name the portal that has the action: --dest=PORTAL`
    : `Connect it first: fw generate fw:res:conn ${constant} --dest=${portal}`;
