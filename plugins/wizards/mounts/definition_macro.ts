import { suggest } from "framewright/kernel";
import type { AnyRecord, BaseModel } from "framewright/plugins/database";
import {
  type ActionOptions,
  isBuiltInPredicate,
  predicateOf,
  type ResourceDefinition,
} from "framewright/plugins/resources";
import type { WizardClass } from "../contract/index.ts";
import { errors } from "../errors.ts";
import { checkWizard, isOnRecord } from "./wizard_class.ts";

/** The options of `this.wizard(key, Class, { … })`: those of an action that concern its presentation. */
export type WizardActionOptions<M extends AnyRecord = BaseModel> = Omit<
  ActionOptions<M>,
  "interaction" | "path" | "url" | "method" | "prefetch" | "resourceAction"
> & { resourceAction?: true };

declare module "framewright/plugins/resources" {
  interface DefinitionMacros<M extends AnyRecord> {
    /** Mounts a wizard on this resource: one anchored with a model on each record, any other on the list. */
    wizard(key: string, wizard: WizardClass, options?: WizardActionOptions<M>): void;
  }
}

/** Module-level: found by a definition, and freed with it: its wizards, by key. */
const wizardsByDefinition = new WeakMap<object, Map<string, WizardClass>>();
export const wizardsOf = (definition: object): ReadonlyMap<string, WizardClass> =>
  wizardsByDefinition.get(definition) ?? new Map<string, WizardClass>();

/** The macro `wizard` of one definition. @throws FW_WIZARD_CLASS, FW_WIZARD_KEY, FW_WIZARD_FLAG, FW_WIZARD_BULK, FW_WIZARD_PUBLIC */
export function wizardMacro(definition: ResourceDefinition) {
  return (key: string, given: WizardClass, options: WizardActionOptions = {}): void => {
    const name = definition.constructor.name;
    const wizard = checkWizard(given, `${name}: this.wizard("${key}", …)`);
    const known = wizardsByDefinition.get(definition) ?? new Map<string, WizardClass>();
    checkKey(name, key, definition.actions.has(key) && !known.has(key));
    checkFlags(name, key, wizard, options);
    if (wizard.metadata.anonymous)
      throw errors.FW_WIZARD_PUBLIC(
        name,
        wizard.name,
        "it is anonymous, and pages of a resource are not public. Mount it with registerWizard, or remove anonymous",
      );
    wizardsByDefinition.set(definition, known.set(key, wizard));
    definition.action(key, { ...actionOptions(wizard, options), path: `wizards/${key}`, prefetch: false });
  };
}

/** The options of the launch action: defaults from `presents` and from where the wizard is mounted. */
function actionOptions(wizard: WizardClass, options: WizardActionOptions): ActionOptions {
  const { label, icon } = wizard.metadata.presents;
  const presented = { ...(label === undefined ? {} : { label }), ...(icon === undefined ? {} : { icon }) };
  const place = isOnRecord(wizard) ? { recordAction: true, collectionRecordAction: true } : { resourceAction: true };
  return { ...presented, ...place, ...options } as ActionOptions;
}

function checkKey(definition: string, key: string, taken: boolean): void {
  if (typeof key !== "string" || !/^[a-z][a-z0-9_]*$/.test(key))
    throw errors.FW_WIZARD_KEY(definition, String(key), "is not a name");
  if (isBuiltInPredicate(key))
    throw errors.FW_WIZARD_KEY(definition, key, `is the name of ${predicateOf(key)}(), which every policy has`);
  if (taken) throw errors.FW_WIZARD_KEY(definition, key, "is already the key of another action");
}

const reservedOptions = ["interaction", "path", "url", "method", "prefetch"];
const presentationOptions = [
  "label",
  "icon",
  "description",
  "hidden",
  "position",
  "category",
  "confirmation",
  "open",
  "turboFrame",
  "newTab",
  "condition",
  "policy",
];

/** Refuses options that can't apply, each with its reason. @throws FW_WIZARD_BULK, FW_WIZARD_FLAG */
function checkFlags(definition: string, key: string, wizard: WizardClass, options: object): void {
  const onRecord = isOnRecord(wizard);
  const why: Record<string, string> = {
    layout: "only registerWizard takes a layout; a wizard on a resource has the resource's own",
    ...Object.fromEntries(reservedOptions.map((name) => [name, "the wizard has its own address"])),
    ...(onRecord
      ? { resourceAction: "an anchored wizard is launched on a record" }
      : Object.fromEntries(
          ["recordAction", "collectionRecordAction"].map((flag) => [
            flag,
            "a wizard without an anchor is launched on the list",
          ]),
        )),
  };
  const flags = onRecord ? ["recordAction", "collectionRecordAction"] : ["resourceAction"];
  for (const option of Object.keys(options)) {
    if (/^bulk/i.test(option)) throw errors.FW_WIZARD_BULK(`${definition}: this.wizard("${key}", …)`, option);
    if (option === "resourceAction" && !onRecord && (options as WizardActionOptions)[option] !== true)
      throw errors.FW_WIZARD_FLAG(definition, key, option, "a wizard on the list is always in the list's header");
    if (Object.hasOwn(why, option)) throw errors.FW_WIZARD_FLAG(definition, key, option, why[option]!);
    const known = [...presentationOptions, ...flags];
    const meant = suggest(option, known);
    if (!known.includes(option))
      throw errors.FW_WIZARD_FLAG(
        definition,
        key,
        option,
        `there is no such option${meant ? `; did you mean "${meant}"?` : ""}`,
      );
  }
}
