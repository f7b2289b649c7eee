import { listed } from "../../../database/generators/toolkit/index.ts";

/** The lists of attributes that a policy begins with. */
export interface PolicyLists {
  create: readonly string[];
  /** Where it is another than that of `create`. */
  update?: readonly string[] | undefined;
  read: readonly string[];
  /** Whether nobody writes such records. */
  readOnly?: boolean;
}

/** The locals of the template of policies. */
export const policyLocals = ({ create, update, read, readOnly = false }: PolicyLists) => ({
  create_list: listed(create),
  update_list: update ? listed(update) : "",
  read_list: listed(read),
  read_only: readOnly,
  is_final: update?.length === 0,
});
