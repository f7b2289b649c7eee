import type { Changes } from "framewright/generators";
import { addMembers, addToConfigure, errors, imports } from "../../../../generators/toolkit/index.ts";

/** An action of a definition. */
export interface ActionDeclaration {
  key: string;
  /** The class of its interaction, and the import path of that. */
  name: string;
  from: string;
  isCollection: boolean;
}

/** Declares an action in a definition, unless it has one with that key. @throws FW_PLACE_MISSING */
export function declareAction(changes: Changes, path: string, action: ActionDeclaration, model: string): void {
  const text = changes.read(path)!;
  if (new RegExp(`\\baction\\(\\s*["']${action.key}["']`).test(text)) return;
  const isTaken = imports(text, action.name) && !text.includes(`import ${action.name} from "${action.from}";`);
  const name = isTaken ? `${action.name}${model}` : action.name;
  const options = [`interaction: ${name}`, ...(action.isCollection ? ["resourceAction: true"] : [])];
  const line = `this.action("${action.key}", { ${options.join(", ")} });`;
  if (!/\bconfigure\s*\(\s*\)\s*(?::\s*void\s*)?\{/.test(text))
    addMembers(changes, path, "configure(", "  override configure() {\n    super.configure();\n  }");
  if (!addToConfigure(changes, path, line)) throw errors.FW_PLACE_MISSING(path, line);
  changes.addImport(path, `import ${name} from "${action.from}";`);
}

/** Who may update a record, or create one, may run the action, until the predicate is edited. @throws FW_PLACE_MISSING */
export function permitAction(changes: Changes, path: string, predicate: string, isCollection: boolean): void {
  if (new RegExp(`\\b${predicate}\\b`).test(changes.read(path)!)) return;
  const answer = isCollection ? "this.canCreate()" : "this.canUpdate()";
  addMembers(changes, path, `${predicate}(`, `  ${predicate}() {\n    return ${answer};\n  }`);
}
