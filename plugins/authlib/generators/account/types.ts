import type { GeneratorContext } from "framewright/generators";

/** The part of a generator's context that writing an account type needs. */
export type AccountContext = Pick<GeneratorContext, "app" | "changes" | "template" | "note">;
/** The model of the accounts. */
export interface AccountModel {
  constant: string;
  name: string;
  table: string;
  importPath: string;
  /** The generator creates it, with its table. */
  isNew: boolean;
}
/** An account type as it will be written. */
export interface Account {
  name: string;
  plugin: string;
  pluginPath: string;
  model: AccountModel;
  /** In the framework's order; with the features of an existing account plugin. */
  features: readonly string[];
  /** The call of a feature that takes options: `login({ phases: 2 })`. */
  code: Readonly<Record<string, string>>;
  isApi: boolean;
  /** Index 0 is the most privileged. */
  roles: readonly string[] | undefined;
}
export interface AccountOptions extends Pick<Account, "features" | "code" | "isApi" | "roles"> {
  /** The value of `--model`. */
  model: string | undefined;
  /** Copies the views and mails into the application. */
  views: boolean;
}
