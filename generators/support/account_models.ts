import { suggest } from "framewright/kernel";
import { usage } from "../errors.ts";
import type { ApplicationFiles, ModelFile } from "./application.ts";
import { camelize, pathOf, singularize, underscore } from "./names.ts";

/** The model of accounts of a name, which `flag` gives. @throws FW_ACCOUNT_MODEL_UNKNOWN, FW_ACCOUNT_MODEL_PLAIN */
export function accountModelOf(app: ApplicationFiles, name: string, flag = "--user_model"): ModelFile {
  const models = app.models().map(({ constant }) => constant);
  const path = pathOf(name);
  if (![path, singularize(path)].some((one) => models.includes(camelize(one)))) {
    const account = path.replaceAll("/", "_");
    throw usage.FW_ACCOUNT_MODEL_UNKNOWN(name, account, app.accounts(), flag, suggest(camelize(path), models));
  }
  const model = app.model(name);
  if (accountTypesOf(app, model).length === 0) throw usage.FW_ACCOUNT_MODEL_PLAIN(model.constant, app.accounts());
  return model;
}

/** The account types whose accounts are records of a model. */
export function accountTypesOf(app: ApplicationFiles, model: ModelFile): string[] {
  return app.accounts().filter((name) => {
    const named = /\bmodel(?::\s*\w+)?\s*=\s*["']([\w:]+)["']/.exec(app.read(`app/authlib/${name}_authlib_plugin.ts`));
    return named ? named[1] === model.constant : name === underscore(model.constant);
  });
}
