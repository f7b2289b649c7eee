import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_ARTICLE_SHAPE: (definition: string, what: string) => `${definition}.article(…) ${what}.`,
  FW_ARTICLE_NAME: (definition: string, part: string, name: string, suggestion: string | undefined) =>
    `${definition}.article(…) names "${name}" as its ${part}, which is no attribute of the model${suggestion ? `. Did you mean "${suggestion}"?` : "."}`,
  FW_ARTICLE_BODY: (definition: string) =>
    `${definition}.article() finds no text: the model has none of body, text, content and description. Name it: this.article({ body: "…" }).`,
});
