import { moduleOf } from "framewright/host";
import { suggest } from "framewright/kernel";
import type { ColumnInfo } from "../drivers/columns.ts";
import { errors } from "../errors.ts";
import type { ModelInfo } from "./model_info.ts";

export type Models = ReadonlyMap<string, ModelInfo>;

/** From the model's own module outwards: `Blogging::Comment`, then `Comment`. @throws FW_ASSOCIATION_TARGET */
export function findModel(models: Models, own: string, name: string, wanted: string): ModelInfo {
  const tried: string[] = [];
  for (let module = own; ; module = moduleOf(module)) {
    const constant = module === "" ? wanted : `${module}::${wanted}`;
    if (module !== own) tried.push(constant);
    const found = models.get(constant);
    if (found) return found;
    if (module === "") break;
  }
  throw errors.FW_ASSOCIATION_TARGET(own, name, tried, suggest(wanted, models.keys()));
}

/** The model whose class declares an association: names follow from it, also where a class below it inherits the association. */
export function declaringModel(info: ModelInfo, name: string): ModelInfo {
  const { parent } = info;
  const isInherited = parent !== undefined && parent.class.associations[name] === info.class.associations[name];
  return isInherited ? declaringModel(parent, name) : info;
}

const isDay = ({ type }: ColumnInfo): boolean => type === "date";
const isNumber = ({ type }: ColumnInfo): boolean => type === "integer" || type === "bigint";

/** A foreign key of another kind than the id would be stored as something else by one database, and found by none. @throws FW_ASSOCIATION_KEY_TYPE */
export function checkKeyType(
  info: ModelInfo,
  name: string,
  { holder, columns, owner }: { holder: ModelInfo; columns: readonly string[]; owner: ModelInfo },
): void {
  if (!holder.settled || !owner.settled) return;
  columns.forEach((column, at) => {
    const [own, id] = [holder.columns.get(column)!, owner.columns.get(owner.key.columns[at]!)];
    if (id && (isNumber(own) !== isNumber(id) || (columns.length > 1 && isDay(own) !== isDay(id))))
      throw errors.FW_ASSOCIATION_KEY_TYPE(info.constant, name, `${holder.table}.${column}`, own.type, {
        id: owner.key.names[at]!,
        type: id.type,
      });
  });
}
