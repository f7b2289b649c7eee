import type { ModelClass } from "./model.ts";

type Inserting = Pick<ModelClass, "prototype" | "beforeInsert" | "afterInsert" | "validations" | "slug">;

/** True when a model has no uniqueness or custom rule, no slug and no insert hook beside those of `base`: inserting looks at no other row. */
export function isPlainInsert(
  { prototype, beforeInsert, afterInsert, validations, slug }: Inserting,
  base: Pick<Inserting, "prototype" | "beforeInsert" | "afterInsert">,
): boolean {
  const asks = Object.values(validations).some(
    ({ uniqueness, custom }) => uniqueness !== undefined || custom !== undefined,
  );
  const { $beforeInsert, $afterInsert } = base.prototype;
  const hooked = prototype.$beforeInsert !== $beforeInsert || prototype.$afterInsert !== $afterInsert;
  return (
    !asks && !hooked && slug === undefined && beforeInsert === base.beforeInsert && afterInsert === base.afterInsert
  );
}
