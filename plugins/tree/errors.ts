import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_TREE_SHAPE: (definition: string, what: string) => `${definition}.tree(…) ${what}.`,
  FW_TREE_PARENT: (definition: string, parent: string | undefined, found: string) =>
    `${definition}.tree(…) ${parent === undefined ? "needs the association to the record above" : `names "${parent}" as its parent`}. ${found === "" ? "No association of the model belongs to one record of the same model." : `Name one of these: ${found}.`}`,
  FW_TREE_FACT: (definition: string, name: string, suggestion: string | undefined) =>
    `${definition}.tree(…) names "${name}" as a fact, which is no attribute of the model${suggestion ? `. Did you mean "${suggestion}"?` : "."}`,
});
