import type { BaseController } from "framewright/host";
import type { FieldView, KeptFileView } from "./components/types.ts";
import { keptName, removeName } from "./pending_files.ts";

/** The field with the file that is there already: no other has to be chosen, and one that isn't required may be removed. */
export function withFile(controller: BaseController, view: FieldView, file: KeptFileView | undefined): FieldView {
  if (!file) return view;
  const { name } = view;
  const inside = (own: string) => view.inputName.replace(/\[[^[\]]*\]$/, `[${own}]`);
  const hint = [view.hint, controller.t("form.file_kept")].filter(Boolean).join(" ");
  const remove = view.required ? {} : { removeName: inside(removeName(name)) };
  return { ...view, hint, file, required: false, keptName: inside(keptName(name)), ...remove };
}
