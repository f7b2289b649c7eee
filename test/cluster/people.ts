export const PASSWORD = "correct horse battery staple";
const TENANTS = ["alder", "birch", "cedar", "dogwood", "elder"];

export interface Person {
  readonly number: number;
  readonly login: string;
  /** The index of the tenant; its id is one more. */
  readonly tenant: number;
}
export interface People {
  readonly all: readonly Person[];
  /** The names of the tenants, which are their marks: no other tenant's pages may have them. */
  readonly tenants: readonly string[];
}

/** So many people, of five tenants in turn. */
export function peopleOf(count: number): People {
  const tenants = TENANTS.map((name) => `tenant-${name}`);
  const all = Array.from({ length: count }, (_, number) => {
    const tenant = number % tenants.length;
    return { number, tenant, login: `p${number}@${TENANTS[tenant]}.test` };
  });
  return { all, tenants };
}
