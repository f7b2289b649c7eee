import { type BaseController, html } from "framewright/host";
import { displayWords, type FieldView, PREVIEW } from "./components/index.ts";
import { showMarkdown } from "./components/markdown.ts";

/**
 * Gives an input of Markdown its buttons and its preview, and shows that where the form was sent for it. A preview is
 * drawn with the form, for those alone who may write the field; guests have none.
 */
export function addEditor(controller: BaseController, view: FieldView): void {
  if (view.as !== "markdown") return;
  const { request, currentUser } = controller;
  const preview = currentUser !== undefined;
  const script = request.kernel.service("assets").url("markdown.js");
  const isAsked = preview && request.format === "html" && request.body.get(PREVIEW) === view.inputName;
  view.editor = { script, preview, ...(isAsked ? { shown: previewOf(controller, view) } : {}) };
}

const previewOf = (controller: BaseController, { value }: FieldView) =>
  typeof value === "string" && value.trim() !== ""
    ? showMarkdown(value, { words: displayWords(controller.t.bind(controller)) })
    : html`<p class="fw-editor-empty">${controller.t("form.markdown.empty")}</p>`;
