import { isFileField, type Registration } from "framewright/plugins/resources";
import type { WizardClass } from "../contract/index.ts";
import { errors } from "../errors.ts";
import { importOf } from "./flow_steps.ts";
import { type ModelField, modelOf } from "./model_fields.ts";

/**
 * Refuses to import what a definition enters as a file: the model knows its column alone, which is JSON, so that people
 * would be asked for the JSON, and could name any file in it.
 * @throws FW_WIZARD_USING_FILE
 */
export function checkFiles({ flow }: WizardClass, registrations: readonly Registration[]): void {
  for (const step of flow.steps) {
    const using = importOf(step);
    if (!using) continue;
    const model = modelOf(using);
    const served = registrations.filter((one) => one.model === model);
    const file = step.fields.find(
      (field) =>
        (field as Partial<ModelField>).column?.type === "json" &&
        served.some((one) => isFileField(one.attribute(field.name))),
    );
    if (file) throw errors.FW_WIZARD_USING_FILE(step.key, model.constant, file.name);
  }
}
