import { type BaseModel, ModelInfo } from "framewright/plugins/database";
import type { ResourceRequest } from "framewright/plugins/resources";
import { isDenial } from "framewright/plugins/resources/toolkit";

/** A record that was created, as a request of its own would be answered. */
export interface ShownItem {
  readonly data: unknown;
  /** Attributes that were sent and not written. */
  readonly ignored: readonly string[];
  /** The preference about them that was followed. */
  readonly applied: string | undefined;
}

export async function shownItem(item: ResourceRequest, record: BaseModel): Promise<ShownItem> {
  try {
    const { body, headers } = item.answerRecord(await item.reload(record), 201);
    const { data, meta } = JSON.parse(String(body)) as { data: unknown; meta?: { ignored?: string[] } };
    const applied = headers["preference-applied"];
    return { data, ignored: meta?.ignored ?? [], applied: typeof applied === "string" ? applied : undefined };
  } catch (error) {
    if (!isDenial(error)) throw error;
    return { data: { id: ModelInfo.keyOf(record) }, ignored: [], applied: undefined }; // it was deleted meanwhile
  }
}
