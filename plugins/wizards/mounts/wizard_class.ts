import { type Application, demodulize, underscore } from "framewright/host";
import { describe } from "framewright/kernel";
import type { WizardClass } from "../contract/index.ts";
import { errors } from "../errors.ts";
import { isWizardClass } from "../wizard.ts";

/** @throws FW_WIZARD_CLASS when it is not a class created by `Wizard(flow, { … })` */
export function checkWizard(given: unknown, where: string): WizardClass {
  if (isWizardClass(given)) return given;
  throw errors.FW_WIZARD_CLASS(where, typeof given === "function" ? given.name || "a class" : describe(given));
}

/** The constant of a wizard: by its file, else by its own name. @throws FW_WIZARD_CLASS for a class without a name */
export function constantOf({ constants }: Pick<Application, "constants">, wizard: WizardClass): string {
  const name = constants.of(wizard)?.name ?? wizard.name;
  if (name === "") throw errors.FW_WIZARD_CLASS("a mount", "a class without a name");
  return name;
}

/** `Blogging::ImportPostsWizard` → `import_posts`. */
export const shortNameOf = (constant: string): string =>
  underscore(demodulize(constant)).replace(/_wizard$/, "") || "wizard";

export const isOnRecord = ({ metadata }: WizardClass): boolean => metadata.anchored?.with !== undefined;
