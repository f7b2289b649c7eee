import { didYouMean, errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_WIZARD_CLASS: (where: string, given: string) =>
    `${where} takes a class made by Wizard(flow, { … }), got ${given}. Import the wizard, as in: import OnboardWizard from "#app/wizards/onboard_wizard.ts".`,
  FW_WIZARD_KEY: (definition: string, key: string, why: string) =>
    `${definition} names a wizard "${key}", which ${why}. Choose another key of a-z, 0-9 and _.`,
  FW_WIZARD_FLAG: (definition: string, key: string, flag: string, why: string) =>
    `${definition} sets the option ${flag} of the wizard "${key}", which does not apply: ${why}${why.endsWith("?") ? "" : "."} Remove it.`,
  FW_WIZARD_BULK: (where: string, option: string) =>
    `${where} sets "${option}": bulk wizards are not supported. Remove it; launch the wizard on one record, or on the list.`,
  FW_POLICY_PREDICATE: (definition: string, key: string, wizard: string, policy: string, method: string) =>
    `${definition} serves ${wizard} as "${key}", which requires ${policy}.${method}(), and that is not defined: nobody could use it. Add it to the policy, as in: ${method}() { return this.canUpdate(); }`,
  FW_WIZARD_ANCHOR: (where: string, wizard: string, anchors: string, fix: string) =>
    `${where} mounts ${wizard}, which is anchored ${anchors}. ${fix}`,
  FW_WIZARD_VIA: (wizard: string, controller: string, method: string, suggestion: string | undefined, fix: string) =>
    `${wizard} is anchored via "${method}", which ${controller} does not have.${didYouMean(suggestion)} ${fix}`,
  FW_WIZARD_MOUNT: (wizard: string, option: string, suggestion: string | undefined) =>
    `registerWizard(${wizard}) has no option "${option}".${didYouMean(suggestion)} It takes at, as, public and layout.`,
  FW_WIZARD_AT: (wizard: string, option: string, given: string) =>
    `registerWizard(${wizard}) can't use ${option}: ${given}. Give at: a path such as "onboarding" or "teams/onboarding", without empty parts, "." or ".." or ".json" at its end, as: a name such as "onboarding", and public: true or nothing.`,
  FW_WIZARD_PLACE: (wizard: string, at: string, why: string) =>
    `registerWizard(${wizard}, { at: ${JSON.stringify(at)} }) can't be mounted there: ${why.replace(/\.$/, "")}.`,
  FW_WIZARD_LAYOUT: (wizard: string, layout: string, suggestion: string | undefined) =>
    `registerWizard(${wizard}) names the layout ${layout}, and there is no such view.${didYouMean(suggestion)} Create app/views/layouts/<name>.liquid, or remove the option.`,
  FW_WIZARD_PUBLIC: (where: string, wizard: string, why: string) => `${where} can't mount ${wizard}: ${why}.`,
  FW_WIZARD_NAME: (name: string, first: string, second: string) =>
    `the public wizards ${first} and ${second} are both named "${name}". Give one of them another as:.`,
  FW_WIZARD_CONTROLLER: (wizard: string, where: string, fix: string) =>
    `no controller serves ${wizard} in ${where}. ${fix}`,
  FW_WIZARD_GATE: (controller: string, wizard: string, why: string) =>
    `${controller} is gated by ${wizard}, which ${why}.`,
  FW_WIZARD_OPTIONS: (flow: string, what: string, fix: string) => `the wizard of ${flow} ${what}. ${fix}`,
  FW_WIZARD_OPTION: (flow: string, option: string, suggestion: string | undefined) =>
    `the wizard of ${flow} has no option "${option}".${didYouMean(suggestion)}`,
  FW_WIZARD_UNANCHORED: (wizard: string) =>
    `${wizard} reads this.anchor and is not anchored. Give it the option anchored: anchored({ with: Model }), and launch it on a record.`,
  FW_WIZARD_OPEN_RUNS: (given: string) =>
    `openRuns(controller, { anchor }) takes a saved record, got ${given}. Pass the record that the runs are about, or leave anchor out for the runs of all records.`,
  FW_WIZARD_MARK: (wizard: string) =>
    `${wizard} can't be marked as completed: only a mounted one-time wizard can. Set oneTime: true, and register it.`,
  FW_WIZARD_TRANSACTION: (wizard: string) =>
    `${wizard} reads this.transaction outside of execute, which alone has one. In onSubmit, query and persist use the step's transaction.`,
  FW_WIZARD_STEP_OPTION: (step: string, option: string, suggestion: string | undefined) =>
    `the step "${step}" has no option "${option}".${didYouMean(suggestion)} It takes label, description, condition, was, using, fields and except.`,
  FW_WIZARD_REVIEW_OPTION: (option: string, suggestion: string | undefined) =>
    `review() has no option "${option}".${didYouMean(suggestion)} It takes label, description, summary and content.`,
  FW_WIZARD_STEP_UNKNOWN: (method: string, step: string, suggestion: string | undefined) =>
    `${method}("${step}") names a step that does not exist.${didYouMean(suggestion)} Call it after the step, with its key.`,
  FW_WIZARD_FIELD_TYPE: (step: string, field: string, as: string, hint: string, types: readonly string[]) =>
    `the step "${step}" asks for "${field}" as "${as}", which is no type of fields.${hint} There are: ${types.join(", ")}.`,
  FW_WIZARD_USING: (step: string, model: string, attribute: string, suggestion: string | undefined) =>
    `the step "${step}" imports "${attribute}" from ${model}, which has no such column or money.${didYouMean(suggestion)}`,
  FW_WIZARD_USING_ASSOCIATION: (step: string, model: string, attribute: string) =>
    `the step "${step}" imports "${attribute}" from ${model}, which is an association. Declare a field of its own, and find the record in a query that is limited to what the person may see.`,
  FW_WIZARD_USING_FILE: (step: string, model: string, attribute: string) =>
    `the step "${step}" imports "${attribute}" from ${model}, which is entered as a file. Declare it in the step, which replaces it: (f) => f.file("${attribute}"); or leave it out by except.`,
  FW_WIZARDS_TABLE: () =>
    "the tables of the wizards' runs do not exist. Run: npx fw generate fw:wizards:install, then npx fw db:migrate.",
  FW_WIZARD_IDENTITY: (wizard: string, why: string) =>
    `the runs of ${wizard} can't be distinguished: ${why}. Mount it where people sign in and have an id, fix concurrencyKey, or set shared: true or anonymous: true.`,
  FW_WIZARD_PERSIST: (step: string, key: string, before: string, now: string) =>
    `the step "${step}" persists a ${now} as "${key}", which is already a ${before}. Choose another key.`,

  FW_WIZARD_OUTCOME: (wizard: string) =>
    `${wizard}.execute() must return what succeed() gives. End it with return succeed(record), or with fail("…"), both from framewright/plugins/wizards.`,
});
