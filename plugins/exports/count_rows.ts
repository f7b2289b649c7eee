import type { ResourceController } from "framewright/plugins/resources";
import { applyList, type ListRequest, listContextOf } from "framewright/plugins/resources/toolkit";

/** Whether a list has more rows than so many; they are counted no further. */
export async function hasMoreRows(controller: ResourceController, list: ListRequest, most: number): Promise<boolean> {
  const { registration, resources, request } = controller;
  const query = controller.visibleRecords(resources.database.replicaFor(request));
  applyList(query, list, registration, listContextOf(controller));
  return (await resources.database.countUpTo(query, most)).capped;
}
