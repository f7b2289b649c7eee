import { namesIn, type PolicyList } from "../policy_lists.ts";
import type { PolicySeed } from "./columns.ts";

/** The lists that a portal's policy needs of its own beside those that it inherits from the feature's; undefined is inherited. */
export interface PortalLists {
  create?: string[] | undefined;
  update?: string[] | undefined;
  read?: string[] | undefined;
  associations?: string[] | undefined;
  /** Columns that the feature's list of forms leaves out, so that the portal has them neither. */
  left: string[];
  /** As `left`, of the list of pages. */
  unread: string[];
}

/**
 * What a portal's policy narrows of its feature's, by the text of that policy: `outside` are names that the portal's forms
 * can't have. A list that is no plain list of names is inherited as it is.
 */
export function portalLists(text: string, seed: PolicySeed, outside: ReadonlySet<string>): PortalLists {
  const narrowed = (list: PolicyList): string[] | undefined => {
    const names = namesIn(text, list);
    return names?.some((name) => outside.has(name)) ? names.filter((name) => !outside.has(name)) : undefined;
  };
  const create = namesIn(text, "Create");
  const read = namesIn(text, "Read");
  const narrow = narrowed("Create");
  const isReadByCreate = narrow !== undefined && !/\bpermittedAttributesForRead\b/.test(text);
  return {
    create: narrow,
    update: narrowed("Update"),
    read: isReadByCreate ? create : undefined,
    associations: seed.associations.length > 0 ? seed.associations : undefined,
    left: create ? seed.create.filter((name) => !create.includes(name) && !outside.has(name)) : [],
    unread: read ? seed.read.filter((name) => !read.includes(name)) : [],
  };
}

/** The predicates that a feature's policy defines, and those that it denies or allows by deriving. */
export const predicatesIn = (text: string): string[] => [
  ...new Set([
    "canRead",
    "canCreate",
    ...[...text.matchAll(/^ {2}(?:override )?(can[A-Z]\w*)\(/gm)].map(([, one]) => one!),
  ]),
];
