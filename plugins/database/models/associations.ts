/** Options of `belongsTo`. */
export interface BelongsToOptions {
  /** A constant, looked for from the model's own module outwards. */
  class?: string;
  /** The column; to a model that is identified by several columns as many, in the order of its `idColumn`: `["region", "depot_code"]`. */
  foreignKey?: string | readonly string[];
  /** true: a record may be without it. By default, whether the column allows null. */
  optional?: boolean;
  /** The models that it may be of, instead of one class: the columns `<name>_type` and `<name>_id` identify the record. */
  polymorphic?: readonly string[];
}
/** Options of `hasMany` and `hasOne`. */
export interface HasOptions {
  class?: string;
  /** The column of the other model; where this one is identified by several columns as many, in the order of its `idColumn`. */
  foreignKey?: string | readonly string[];
  /** The association of this model that leads there. */
  through?: string;
  /** The association of the model in between; by default of the same name, singular or plural. */
  source?: string;
  /** What deleting a record does to these: by default what the database's foreign keys do. */
  dependent?: "destroy" | "nullify" | "restrict";
  /** The polymorphic belongsTo of the other model that leads back here; no foreign key can do what `dependent` does then. */
  as?: string;
}
/** An association as a model declares it. */
export interface Association extends BelongsToOptions, HasOptions {
  kind: "belongsTo" | "hasMany" | "hasOne";
}

/**
 * The record has the foreign key: `author: belongsTo({ class: "User" })`, `subject: belongsTo({ polymorphic: ["Post", "Photo"] })`, or of
 * several columns `depot: belongsTo({ foreignKey: ["region", "depot_code"] })`.
 */
export const belongsTo = (options: BelongsToOptions = {}): Association => ({ kind: "belongsTo", ...options });
/** Records that refer to this one: `comments: hasMany({ dependent: "destroy" })`, or through others: `hasMany({ through: "memberships" })`. */
export const hasMany = (options: HasOptions = {}): Association => ({ kind: "hasMany", ...options });
/** One record that refers to this one: `note: hasOne()`. */
export const hasOne = (options: HasOptions = {}): Association => ({ kind: "hasOne", ...options });
