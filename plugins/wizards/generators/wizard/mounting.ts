import type { Changes, GeneratorContext, ModelFile } from "framewright/generators";
import { camelize } from "framewright/host/inflection";
import {
  addToConfigure,
  filesOf,
  hasConfigure,
  importDefault,
  importPath,
  resourceOf,
} from "../../../../generators/toolkit/index.ts";

/** The wizard's class, file and key. */
export interface WizardFile {
  name: string;
  file: string;
  /** `onboard` */
  key: string;
}

/** `routes.registerWizard(OnboardWizard, { at: "onboard" });` in a routes file. */
export function addToRoutes(changes: Changes, path: string, marker: string, { name, file, key }: WizardFile): void {
  const local = importDefault(changes, path, { name, from: importPath(file), suffix: "Class" });
  changes.insertAbove(path, marker, routeLine({ name: local, key }));
}

export const routeLine = ({ name, key }: Pick<WizardFile, "name" | "key">): string =>
  `routes.registerWizard(${name}, { at: "${key.replaceAll("_", "-")}" });`;

/** Adds the wizard to the definition of its anchor, and a predicate to the policy; prints the lines where a file is missing. */
export function addToDefinition(
  context: GeneratorContext,
  model: ModelFile,
  portal: string | undefined,
  wizard: WizardFile,
): void {
  const { changes, note } = context;
  const { definition, policy } = portal
    ? filesOf(resourceOf(model.constant), portal, `${portal}/`)
    : filesOf(resourceOf(model.constant), model.package);
  const lineOf = (name: string) => `this.wizard("${wizard.key}", ${name});`;
  const predicate = `can${camelize(wizard.key)}`;
  if (!addLine(changes, definition, lineOf, wizard))
    note(`Add to the definition of ${model.constant}, after super.configure(): ${lineOf(wizard.name)}`);
  if (!addPredicate(changes, policy, predicate))
    note(`Add to the policy of ${model.constant}: ${predicate}() { return this.canUpdate(); }`);
}

function addLine(
  changes: Changes,
  path: string,
  lineOf: (name: string) => string,
  { name, file }: WizardFile,
): boolean {
  if (!hasConfigure(changes, path)) return false;
  const local = importDefault(changes, path, { name, from: importPath(file), suffix: "Class" });
  return addToConfigure(changes, path, lineOf(local));
}

/** People who may update the record may use the wizard, until the predicate is edited. */
function addPredicate(changes: Changes, path: string, predicate: string): boolean {
  const text = changes.read(path);
  if (text === undefined) return false;
  if (new RegExp(`\\b${predicate}\\b`).test(text)) return true;
  const method = `  ${predicate}() {\n    return this.canUpdate();\n  }\n`;
  changes.edit(path, (before) => before.replace(/\}\s*$/, `${method}}\n`));
  return true;
}
