import { providers } from "framewright/host";
import { type FieldTypeTable, inputNames } from "framewright/plugins/fields";
import { declaredSpecs, type FieldSpec, type RowFields } from "framewright/plugins/fields/rows";
import { errors } from "../errors.ts";

/** The declared fields of a json column. @throws FW_ROWS_FIELD, FW_ROWS_FIELD_TYPE */
export const specsOf = (definition: string, fields: RowFields, types: FieldTypeTable): FieldSpec[] =>
  declaredSpecs(fields, types, (path, why, as) =>
    as === undefined
      ? errors.FW_ROWS_FIELD(definition, path, why)
      : errors.FW_ROWS_FIELD_TYPE(definition, path, as, providers.typeHint(as, inputNames(types), types.has(as))),
  );
