import { statementsOf } from "../../support/import_statements.ts";
import type { Upgrade, UpgradeStep } from "../upgrade.ts";

const routes = { RouteWords: "RouteMacros", EngineWords: "EngineMacros" };
/** Names that modules of the framework export by another name now. */
const renamed: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  framewright: routes,
  "framewright/host": routes,
  "framewright/plugins/resources": { DefinitionWords: "DefinitionMacros", Narrow: "QueryScope" },
  "framewright/plugins/database": {
    ColumnWords: "ColumnBuilder",
    TableWords: "TableBuilder",
    QueriesFace: "QueryMethods",
    unlessAway: "asUnavailable",
  },
  "framewright/plugins/authlib": { AuthlibFace: "AuthlibConcern" },
  "framewright/plugins/wizards": { GateFace: "WizardGateMethods", WizardFace: "WizardCustomization" },
  "framewright/plugins/views": { hinted: "withFilterHints", TemplateWay: "TemplateMode" },
};
/** Members of services that have another name. */
const members = { routeWords: "routeMacros", engineWords: "engineMacros", definitionWords: "definitionMacros" };

/** Rewrites imports of names that the framework calls otherwise now: the name in the file stays as it is. */
export const renameNames: UpgradeStep = (upgrade) => {
  for (const file of upgrade.sources()) {
    if (!(upgrade.changes.read(file) ?? "").includes("framewright")) continue;
    for (const [module, names] of Object.entries(renamed)) renameImports(upgrade, file, module, names);
    renameMembers(upgrade, file);
  }
};

function renameImports(upgrade: Upgrade, file: string, module: string, names: Readonly<Record<string, string>>): void {
  for (const { list, names: imported } of statementsOf(upgrade.changes.read(file)!, module).toReversed())
    for (const { name, local } of imported.filter((one) => Object.hasOwn(names, one.name)).toReversed()) {
      const now = names[name]!;
      const specifier = new RegExp(`\\b${name}\\b(?:\\s+as\\s+\\w+)?`);
      upgrade.rewrites("names", file, list!.start, `${name} of "${module}" is ${now}`);
      upgrade.changes.edit(file, (text) => {
        const inside = text.slice(list!.start, list!.end).replace(specifier, `${now} as ${local}`);
        return text.slice(0, list!.start) + inside + text.slice(list!.end);
      });
    }
  const declared = new RegExp(
    `(declare module ["']${module}["'] \\{[^]*?\\binterface )(${Object.keys(names).join("|")})\\b`,
  );
  const found = declared.exec(upgrade.changes.read(file)!);
  if (!found) return;
  upgrade.rewrites("names", file, found.index, `the interface ${found[2]} of "${module}" is ${names[found[2]!]}`);
  upgrade.changes.edit(file, (text) => text.replace(declared, (_, before, name) => before + names[name as string]));
}

function renameMembers(upgrade: Upgrade, file: string): void {
  for (const [before, now] of Object.entries(members)) {
    const member = new RegExp(`\\.${before}\\b`, "g");
    for (const { index } of [...upgrade.changes.read(file)!.matchAll(member)].toReversed()) {
      upgrade.rewrites("names", file, index, `.${before} is .${now}`);
      upgrade.changes.edit(file, (text) => text.slice(0, index) + text.slice(index).replace(member, `.${now}`));
    }
  }
}
