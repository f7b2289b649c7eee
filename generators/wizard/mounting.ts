import type { GeneratorContext } from "../generator.ts";
import { importPath, type ModelFile } from "../support/application.ts";
import type { Changes } from "../support/changes.ts";
import { camelize } from "../support/names.ts";
import { filesOf, resourceOf } from "../support/resource.ts";

/** The wizard's class and file, and how its mount is called. */
export interface Written {
  name: string;
  file: string;
  /** `onboard` */
  key: string;
}

/** `routes.registerWizard(OnboardWizard, { at: "onboard" });` where routes of this place are drawn. */
export function register(changes: Changes, path: string, marker: string, { name, file, key }: Written): void {
  changes.addImport(path, `import ${name} from "${importPath(file)}";`);
  changes.insertAbove(path, marker, routeLine({ name, key }));
}

export const routeLine = ({ name, key }: Pick<Written, "name" | "key">): string =>
  `routes.registerWizard(${name}, { at: "${key.replaceAll("_", "-")}" });`;

/** Names the wizard in the definition of what it is anchored to, and lets the policy allow it; says the lines where a file is not there. */
export function define(
  context: GeneratorContext,
  model: ModelFile,
  portal: string | undefined,
  written: Written,
): void {
  const { changes, note } = context;
  const { definition, policy } = portal
    ? filesOf(resourceOf(model.constant), portal, `${portal}/`)
    : filesOf(resourceOf(model.constant), model.package);
  const line = `this.wizard("${written.key}", ${written.name});`;
  const predicate = `can${camelize(written.key)}`;
  if (!addLine(changes, definition, line, written))
    note(`Add to the definition of ${model.constant}, after super.configure(): ${line}`);
  if (!addPredicate(changes, policy, predicate))
    note(`Add to the policy of ${model.constant}: ${predicate}() { return this.canUpdate(); }`);
}

function addLine(changes: Changes, path: string, line: string, { name, file }: Written): boolean {
  const configure = /^([ \t]*)super\.configure\(\);[ \t]*\n/m;
  const text = changes.read(path);
  if (text?.includes(line)) return true;
  if (text === undefined || !configure.test(text)) return false;
  changes.edit(path, (before) => before.replace(configure, (whole, indent: string) => `${whole}${indent}${line}\n`));
  changes.addImport(path, `import ${name} from "${importPath(file)}";`);
  return true;
}

/** Whoever may change the record may go through it, until the policy says otherwise. */
function addPredicate(changes: Changes, path: string, predicate: string): boolean {
  const text = changes.read(path);
  if (text === undefined) return false;
  if (new RegExp(`\\b${predicate}\\b`).test(text)) return true;
  const method = `  ${predicate}() {\n    return this.canUpdate();\n  }\n`;
  changes.edit(path, (before) => before.replace(/\}\s*$/, `${method}}\n`));
  return true;
}
