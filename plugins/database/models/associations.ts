export interface BelongsToOptions {
  /** A constant, looked for from the model's own module outwards. */
  class?: string;
  foreignKey?: string;
  /** true: a record may be without it. Unless told, the column says: null is allowed or not. */
  optional?: boolean;
}
export interface HasOptions {
  class?: string;
  foreignKey?: string;
  /** The association of this model that leads there. */
  through?: string;
  /** The association of the model in between; the same name, singular or plural, unless told. */
  source?: string;
  /** What deleting a record does to these: the database's foreign keys decide unless told. */
  dependent?: "destroy" | "nullify" | "restrict";
}
export interface Association extends BelongsToOptions, HasOptions {
  kind: "belongsTo" | "hasMany" | "hasOne";
}

export const belongsTo = (options: BelongsToOptions = {}): Association => ({ kind: "belongsTo", ...options });
export const hasMany = (options: HasOptions = {}): Association => ({ kind: "hasMany", ...options });
export const hasOne = (options: HasOptions = {}): Association => ({ kind: "hasOne", ...options });
