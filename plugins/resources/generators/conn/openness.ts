import { type ApplicationFiles, type Changes, choose } from "framewright/generators";
import { isInteractive } from "../../../../generators/toolkit/index.ts";

/** Who comes into a portal, by the concern of its controllers. */
export interface Admission {
  isPublic: boolean;
  /** The type of the accounts that it requires; undefined for one of its own authentication. */
  account: string | undefined;
}

export function admissionOf(changes: Changes, portal: string): Admission {
  const text = changes.read(`packages/${portal}/app/controllers/${portal}/concerns/controller.ts`) ?? "";
  return { isPublic: /\bPublicAccess\b/.test(text), account: /\bAuthlib\("(\w+)"/.exec(text)?.[1] };
}

/**
 * The account type of a portal whose policies begin closed: accounts that anybody may create on its pages, in a portal without
 * tenants, while the application has accounts of another type. What its features permit was written for those.
 */
export function closedTo(
  app: ApplicationFiles,
  changes: Changes,
  { account }: Admission,
  hasTenants: boolean,
): string | undefined {
  if (account === undefined || hasTenants) return undefined;
  const pluginOf = (name: string) => changes.read(`app/authlib/${name}_authlib_plugin.ts`) ?? "";
  const own = pluginOf(account);
  const signsUp = /\bcreateAccount\(/.test(own) && !/\bapiOnly\s*=\s*true/.test(own);
  const others = app.accounts().filter((name) => name !== account && !/\bapiOnly\s*=\s*true/.test(pluginOf(name)));
  return signsUp && others.length > 0 ? account : undefined;
}

/** Whether to open a resource all the same: by the option, else by an answer at a terminal. */
export async function isOpened(option: boolean | undefined, constant: string, account: string): Promise<boolean> {
  if (option || !isInteractive()) return option === true;
  const answer = await choose(
    `Anybody may sign up as ${account}. May they see and write all of ${constant} that its feature's policy permits?`,
    [
      { value: "no", label: "No: write a policy that denies until it is edited" },
      { value: "yes", label: "Yes: the feature's policy decides" },
    ],
    ["--open"],
  );
  return answer === "yes";
}
