import { rowButtons } from "framewright/plugins/fields/rows";
import type { Attribute, ResourceRequest } from "framewright/plugins/resources";

/** Where an input is in its form, below the key of the form: `permit[parcels][0][owners]` is "parcels.0.owners". */
export const pathOf = (inputName: string): string => inputName.replaceAll("]", "").split("[").slice(1).join(".");

/** Whether a form was sent by a button of the rows of an attribute, which are in the form itself. */
export const isOwnButton = ({ params }: ResourceRequest, { name }: Attribute): boolean =>
  Object.values(rowButtons).some((button) => {
    const value = params.get(button);
    return typeof value === "string" && (value === name || value.startsWith(`${name}.`));
  });

/** The buttons of a form as the rows at a path see them, whose own paths begin with their name. */
export const pressedWithin = (
  { request }: Pick<ResourceRequest, "request">,
  path: string,
): { get(name: string): unknown } => {
  const parts = path.split(".");
  const before = parts.slice(0, -1).join(".");
  return {
    get(name) {
      const value = request.params.get(name);
      if (typeof value !== "string") return undefined;
      if (before === "") return value;
      return value.startsWith(`${before}.`) ? value.slice(before.length + 1) : undefined;
    },
  };
};
