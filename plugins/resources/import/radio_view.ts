import type { FieldView } from "../components/index.ts";
import type { ResourceController } from "../controller.ts";

interface RadioParts {
  readonly name: "rows" | "failing" | "days";
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly value: string;
}

/** A choice of an import, by radio buttons. */
export const radioView = (controller: ResourceController, { name, choices, value }: RadioParts): FieldView => ({
  ...{ name, as: "radio", id: `import_${name}`, inputName: name, value, required: true, errors: [] },
  label: controller.t(`resource.import.${name}.title`),
  choices: choices.map((choice) => ({ ...choice, selected: choice.value === value })),
});
