import { type ModelFile, usage } from "framewright/generators";
import { MAIN_APP, packageName } from "../../../../generators/toolkit/index.ts";

/** The options of fw:res:conn. */
export interface ConnOptions {
  readonly dest?: string;
  readonly singular?: boolean;
  readonly label?: string;
  readonly open?: boolean;
  readonly policy?: boolean;
  readonly definition?: boolean;
  readonly controller?: boolean;
}

/** @throws FW_FLAGS_CLASH, FW_FLAG_VALUE, FW_ARGUMENT_UNUSED */
export function check([, second]: readonly string[], options: ConnOptions): void {
  const { dest, label } = options;
  const named = (["policy", "definition", "controller"] as const).find((name) => options[name]);
  const override = named && `--${named}`;
  if (dest !== undefined && packageName(dest) === MAIN_APP && override)
    throw usage.FW_FLAGS_CLASH([`--dest=${dest}`, override]);
  if (label === undefined) return;
  if (label.trim() === "") throw usage.FW_FLAG_VALUE("--label", "--label=Member");
  if (second !== undefined)
    throw usage.FW_ARGUMENT_UNUSED(
      "fw generate fw:res:conn --label",
      second,
      "fw generate fw:res:conn OrganizationUser --dest=admin_portal --label=Member",
    );
}

/** The options of `registerResource`, as source code. */
export function registrationOf({ singular, label }: ConnOptions): string {
  const entries = [...(singular ? ["singular: true"] : []), ...(label ? [`label: ${JSON.stringify(label)}`] : [])];
  return entries.length > 0 ? `{ ${entries.join(", ")} }` : "";
}

export const registeredNote = ({ constant }: ModelFile, routes: string, line: string): string =>
  `${constant} is registered in ${routes} already, otherwise than these options say, and the line is left as it is. With them it is: ${line}`;
