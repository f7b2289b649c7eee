import type { Application } from "framewright/host";
import { checkOptions, definePlugin, type OptionRule, type Plugin, SyncHook } from "framewright/kernel";
import { AccountAdministration, type AccountType } from "framewright/plugins/authlib";
import { addAccountPage } from "./account_page.ts";
import { commands } from "./commands/index.ts";
import type { PersonalDataHooks, PersonalDataService } from "./contract.ts";
import type { Declared } from "./declared.ts";
import { erase, FILES_JOB, KnownTables, report } from "./erase.ts";
import { examineDeclarations } from "./examine.ts";
import { exportEntries } from "./export.ts";
import { personOf } from "./person.ts";
import { checkReached, declaredModels, type Plan, planFor } from "./plan.ts";
import { secretsIn } from "./secrets.ts";
import { Sources } from "./sources.ts";
import { zip } from "./zip.ts";

export { personalDataActions } from "./actions.ts";
export type {
  Erased,
  ErasedRow,
  Erasure,
  Person,
  PersonalBy,
  PersonalDataHooks,
  PersonalDataService,
  PersonalFile,
  PersonalSource,
  PersonalSources,
  PersonalTable,
} from "./contract.ts";
export type { PersonalModel, PersonalRule } from "./declared.ts";

/** Options of `personalData()`. */
export interface PersonalDataOptions {
  /** Whether texts that the person wrote to others, as comments, are erased (by default) or stay without the name. */
  writtenTexts?: "erase" | "keep";
}
const texts: OptionRule = { expected: '"erase" or "keep"', check: (value) => value === "erase" || value === "keep" };

/** A person's data, exported as a ZIP and erased, by what models declare in `static personal`. */
export function personalData(options: PersonalDataOptions = {}): Plugin {
  checkOptions("personalData", options, { writtenTexts: texts });
  const { writtenTexts = "erase" } = options;
  return definePlugin({
    name: "personal_data",
    directory: import.meta.dirname,
    commands,
    requires: ["host", "database", "i18n", "views", "portals", "resources", "auth", "jobs"],
    uses: ["storage"],
    provides: "personal_data",
    hooks: (): PersonalDataHooks => ({ sources: new SyncHook(["sources"]) }),
    apply({ services: { host, database, i18n, resources, auth, jobs, storage }, hooks, tap }) {
      const sources = new Sources(database);
      const tables = new KnownTables(database);
      const plans = new Map<AccountType, Plan>();
      let declared: readonly Declared[] = [];
      const secretsOf = secretsIn(resources);
      const typeOf = (name: string) => auth.types.get(name, "personalData()");
      const planOf = (type: AccountType) => plans.get(type) ?? planFor(type, declared);
      const parts = {
        ...{ database, jobs, sources, planOf, tables },
        host: host as Application,
        keepsTexts: writtenTexts === "keep",
        text: (key: string) => i18n.t(`personal_data.${key}`),
      };
      // before the transaction of the action
      tap(hooks.resources.authorize, (action) => (action === "erase_person" ? tables.read() : undefined));
      hooks.kernel.ready.tap("personal_data", () => {
        hooks.personal_data.sources.call(sources);
        declared = declaredModels(database.models(), auth.types.all());
        for (const type of auth.types.all()) plans.set(type, planFor(type, declared));
        checkReached(declared, [...plans.values()]);
      });
      jobs.define<{ keys: readonly string[] }>(FILES_JOB, async ({ keys }) => {
        for (const key of keys) await storage?.delete(key);
      });
      hooks.host.examine.tapPromise("personal_data", async (findings) => {
        findings.push(examineDeclarations(database.models(), auth.types.all(), sources.all()));
      });
      const service: PersonalDataService = {
        async *export(name, who, by = {}) {
          const type = typeOf(name);
          const person = await personOf(new AccountAdministration(type), who);
          await report("data_exported", type, person.account.id, by); // first: a download may be broken off
          yield* zip(exportEntries({ database, plan: planOf(type), sources: sources.all(), secretsOf }, person));
        },
        erase: (name, who, by = {}) => erase(parts, typeOf(name), who, by),
      };
      addAccountPage(hooks.auth, service);
      return service;
    },
  });
}
