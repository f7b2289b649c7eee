/**
 * The models of tenants, by the portal that is scoped to them, through declaration merging; each portal adds its own:
 * `declare module "framewright/host" { interface Tenants { CustomerPortal: Organization } }`.
 */
export interface Tenants {}
/** A tenant: of the models of `Tenants`, or any record where none is declared. */
export type Tenant = keyof Tenants extends never ? object : Tenants[keyof Tenants];
