import { type BaseModel, ModelInfo } from "framewright/plugins/database";

/** Whose a file is: a model's constant, of single-table inheritance that of the table's class, and the key of a record. */
export interface Owner {
  readonly type: string;
  readonly id: string;
}

export const ownerType = (model: ModelInfo): string => model.lineage.at(-1)!.constant;

export const ownerOf = (record: BaseModel): Owner => ({
  type: ownerType(ModelInfo.ofRecord(record)),
  id: String(ModelInfo.keyOf(record)),
});
