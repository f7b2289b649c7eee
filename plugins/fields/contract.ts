import type { BaseController } from "framewright/host";
import type { BaseModel, ModelInfo, PolymorphicInfo, Query, Transaction } from "framewright/plugins/database";
import type { Choice } from "./components/types.ts";
import type { FieldTypeTable } from "./types/field_type.ts";

/** The choices of a field, to be drawn. */
export interface DrawnChoices {
  choices: readonly Choice[];
  moreChoices?: string | undefined;
  /** The groups that they are in; one may be empty until more is searched for. */
  groups?: readonly string[];
  /** Whether all of them are found by a search. */
  isSearched?: boolean;
}

/** What fields need of a request: the application's types, and the records that its person may choose. `resources` has them. */
export interface FieldLookups {
  readonly controller: BaseController;
  readonly fieldTypes: FieldTypeTable;
  /** A query of what the person may see of a model. */
  query<T extends BaseModel>(model: { new (): T }, transaction: Transaction | undefined): Query<T>;
  /** The records that may be chosen of a model, those first that were `given`; `kept` is what the field has already. */
  choices(
    target: ModelInfo,
    given: string | readonly string[] | undefined,
    kept: readonly unknown[],
  ): Promise<DrawnChoices>;
  /** As `choices`, of several models, in a group for each. */
  polymorphicChoices(
    polymorphic: PolymorphicInfo,
    given: string | undefined,
    kept: readonly (string | undefined)[],
  ): Promise<DrawnChoices>;
  /** What records are called to the person, in their order, with what their models declare that labels read. */
  labels(records: readonly BaseModel[]): Promise<readonly string[]>;
  /** Whether a key is that of a record which the person may choose. */
  isChoosable(target: ModelInfo, key: unknown, transaction: Transaction | undefined): Promise<boolean>;
}
