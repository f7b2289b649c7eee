import type { FieldView } from "framewright/plugins/fields";
import type { ResourceController } from "framewright/plugins/resources";

interface RadioParts {
  readonly name: "rows" | "failing" | "days";
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly value: string;
}

/** A choice of an import, by radio buttons. */
export const radioView = (controller: ResourceController, { name, choices, value }: RadioParts): FieldView => ({
  name,
  as: "radio",
  id: `import_${name}`,
  inputName: name,
  value,
  errors: [],
  required: name !== "days", // only a column of days that is imported needs it
  label: controller.t(`resource.import.${name}.title`),
  choices: choices.map((choice) => ({ ...choice, selected: choice.value === value })),
});
