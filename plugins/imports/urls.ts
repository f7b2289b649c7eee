import type { ResourceController } from "framewright/plugins/resources";

/** The address of the first step, or of an import. */
export function importUrl(controller: ResourceController, id?: number, below?: string): string {
  const base = `${controller.listUrl}/import`;
  if (id === undefined) return base;
  return below === undefined ? `${base}/${id}` : `${base}/${id}/${below}`;
}
