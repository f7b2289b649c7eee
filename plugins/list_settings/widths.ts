import { escapeHtml } from "framewright/host";
import type { ResourceController } from "framewright/plugins/resources";
import type { ListRows } from "framewright/plugins/resources/toolkit";
import { isListShown } from "./last_view.ts";
import { settingsRead } from "./settings_of_list.ts";

/** The widths that a column may have, in pixels; the style sheet has a class for each. */
export const widthRange = { min: 50, max: 800, step: 10 } as const;
export const isWidth = (width: number): boolean =>
  width >= widthRange.min && width <= widthRange.max && width % widthRange.step === 0;

/** Module-level: found by a controller, and freed with it. */
const columnsOf = new WeakMap<object, ListRows["columns"]>();

export function noteColumns({ controller, columns }: ListRows): void {
  if (isListShown(controller)) columnsOf.set(controller, columns);
}

/** The headers of a list's own table have the widths of the person, and what the script needs to change them. */
export function sizedHeaders(controller: ResourceController): ((drawn: string) => string) | undefined {
  const columns = columnsOf.get(controller);
  if (!columns) return undefined;
  const widths = settingsRead(controller)?.widths ?? {};
  return (drawn) => {
    let at = 0;
    return drawn.replace(/<th scope="col"(?: class="(fw-numeric)")?(?! class)/g, (start, side: string | undefined) => {
      const column = columns[at++];
      return column ? headerStart(controller, column, { side, width: widths[column.name] }) : start;
    });
  };
}

function headerStart(
  controller: ResourceController,
  { name, label }: ListRows["columns"][number],
  { side, width }: { side: string | undefined; width: number | undefined },
): string {
  const isSized = width !== undefined && isWidth(width);
  const classes = [side, isSized && `fw-sized fw-w${width / widthRange.step}`].filter(Boolean).join(" ");
  const own = `${classes === "" ? "" : ` class="${classes}"`}${isSized ? ` data-width="${width}"` : ""}`;
  const text = escapeHtml(controller.t("list_settings.width_of", { column: label }));
  return `<th scope="col"${own} data-column="${escapeHtml(name)}" data-resize="${text}"`;
}
