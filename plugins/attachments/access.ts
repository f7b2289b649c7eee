import type { BaseModel } from "framewright/plugins/database";
import type { ResourceRequest } from "framewright/plugins/resources";
import type { ShownFile } from "./contract.ts";
import type { ListedFile } from "./store.ts";

/** A file with its addresses, below that of its record. */
export function shownFile(url: string, file: ListedFile): ShownFile {
  const { id, field, name, type, size, alternative, state } = file;
  const [path, query = ""] = url.split("?", 2) as [string, string?];
  const own = `${path}/files/${field}/${id}`;
  const search = query === "" ? "" : `?${query}`;
  const isReady = state === "ready";
  return {
    id,
    name,
    type,
    size,
    alternative,
    state,
    url: isReady ? own + search : null,
    thumbnails:
      isReady && file.thumbnails === "ready"
        ? { large: `${own}/large${search}`, small: `${own}/small${search}` }
        : null,
  };
}

/** Whether the person may read the files of a name: in lists, or on a record's page. */
export const mayRead = (controller: ResourceRequest, name: string, record: BaseModel): boolean =>
  controller.listOf("Show", record).includes(name) || controller.listOf("Index").includes(name);
