import type { ModelClass } from "./model.ts";

type Inserting = Pick<ModelClass, "prototype" | "beforeInsert" | "afterInsert" | "validations" | "slug">;

/** True when a model has neither a slug nor an insert hook beside those of `base`: inserting is what every model does. */
export function isUsualInsert(
  { prototype, beforeInsert, afterInsert, slug }: Inserting,
  base: Pick<Inserting, "prototype" | "beforeInsert" | "afterInsert">,
): boolean {
  const { $beforeInsert, $afterInsert } = base.prototype;
  const hooked = prototype.$beforeInsert !== $beforeInsert || prototype.$afterInsert !== $afterInsert;
  return !hooked && slug === undefined && beforeInsert === base.beforeInsert && afterInsert === base.afterInsert;
}

/** True when a model has no uniqueness or custom rule, no slug and no insert hook beside those of `base`: inserting looks at no other row. */
export function isPlainInsert(
  cls: Inserting,
  base: Pick<Inserting, "prototype" | "beforeInsert" | "afterInsert">,
): boolean {
  const asks = Object.values(cls.validations).some(
    ({ uniqueness, custom }) => uniqueness !== undefined || custom !== undefined,
  );
  return !asks && isUsualInsert(cls, base);
}
