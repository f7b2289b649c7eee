import { renderTemplate } from "../../../../generators/toolkit/index.ts";

/** A file of a scaffold, by its template. */
export const scaffoldFile = (template: string, locals: object): string =>
  renderTemplate(import.meta.dirname, template, locals);
