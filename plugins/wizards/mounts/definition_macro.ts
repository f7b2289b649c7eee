import { suggest } from "framewright/kernel";
import type { BaseModel } from "framewright/plugins/database";
import type { ActionOptions, ResourceDefinition } from "framewright/plugins/resources";
import type { WizardClass } from "../contract/index.ts";
import { errors } from "../errors.ts";
import { checkWizard, isOnRecord } from "./wizard_class.ts";

/** What `this.wizard(key, Class, { … })` takes: any option of an action that says how its launch looks. */
export type WizardActionOptions = Omit<
  ActionOptions,
  "interaction" | "path" | "method" | "prefetch" | "resourceAction"
> & { resourceAction?: true };

declare module "framewright/plugins/resources" {
  interface DefinitionMacros<M extends BaseModel> {
    /** Serves a wizard on this resource: an anchored one on each record, any other one on the list. */
    wizard(key: string, wizard: WizardClass, options?: WizardActionOptions): void;
  }
}

/** The wizards that a definition names, by key. */
const declared = new WeakMap<object, Map<string, WizardClass>>();
export const wizardsOf = (definition: object): ReadonlyMap<string, WizardClass> =>
  declared.get(definition) ?? new Map<string, WizardClass>();

/** The word `wizard` of one definition. @throws FW_WIZARD_CLASS, FW_WIZARD_KEY, FW_WIZARD_FLAG, FW_WIZARD_BULK, FW_WIZARD_PUBLIC */
export function wizardWord(definition: ResourceDefinition) {
  return (key: string, given: WizardClass, options: WizardActionOptions = {}): void => {
    const name = definition.constructor.name;
    const wizard = checkWizard(given, `${name}: this.wizard("${key}", …)`);
    const known = declared.get(definition) ?? new Map<string, WizardClass>();
    checkKey(name, key, definition.actions.has(key) && !known.has(key));
    checkFlags(name, key, wizard, options);
    if (wizard.facts.anonymous)
      throw errors.FW_WIZARD_PUBLIC(
        name,
        wizard.name,
        "it is anonymous, and pages of a resource are not. Mount it with registerWizard, or drop anonymous",
      );
    declared.set(definition, known.set(key, wizard));
    definition.action(key, { ...chrome(wizard, options), path: `wizards/${key}`, prefetch: false });
  };
}

/** What the launch looks like where the definition says nothing: as the wizard presents itself, where it belongs. */
function chrome(wizard: WizardClass, options: WizardActionOptions): ActionOptions {
  const { label, icon } = wizard.facts.presents;
  const looks = { ...(label === undefined ? {} : { label }), ...(icon === undefined ? {} : { icon }) };
  const place = isOnRecord(wizard) ? { recordAction: true, collectionRecordAction: true } : { resourceAction: true };
  return { ...looks, ...place, ...options } as ActionOptions;
}

function checkKey(definition: string, key: string, taken: boolean): void {
  if (typeof key !== "string" || !/^[a-z][a-z0-9_]*$/.test(key))
    throw errors.FW_WIZARD_KEY(definition, String(key), "is not a name");
  if (taken) throw errors.FW_WIZARD_KEY(definition, key, "is the key of another action already");
}

const ownWords = ["interaction", "path", "method", "prefetch"];
const looks = ["label", "icon", "position", "category", "confirmation", "turboFrame", "condition", "policy"];

/** Refuses what can't apply, each for its own reason. */
function checkFlags(definition: string, key: string, wizard: WizardClass, options: object): void {
  const onRecord = isOnRecord(wizard);
  const why: Record<string, string> = {
    layout: "a layout belongs to registerWizard; a wizard on a resource stands in the resource's own shell",
    ...Object.fromEntries(ownWords.map((word) => [word, "the wizard has an address of its own"])),
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
      throw errors.FW_WIZARD_FLAG(definition, key, option, "it stands in the header of the list, or nowhere");
    if (Object.hasOwn(why, option)) throw errors.FW_WIZARD_FLAG(definition, key, option, why[option]!);
    const known = [...looks, ...flags];
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
